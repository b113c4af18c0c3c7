# Prints a line for each target of Package.swift, which is the input: its kind, name, folder, and the names of its
# dependencies, separated by spaces.
{
    sub(/\/\/.*/, "")
    text = text " " $0
}

END {
    while (match(text, /\.(target|executableTarget|testTarget|systemLibrary)\(/)) {
        kind = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        chunk = text
        if (match(text, /\.(target|executableTarget|testTarget|systemLibrary)\(/)) chunk = substr(text, 1, RSTART - 1)
        name = quoted(chunk, "name: \"[^\"]*\"")
        folder = quoted(chunk, "path: \"[^\"]*\"")
        if (folder == "") folder = (kind == "testTarget" ? "Tests/" : "Sources/") name
        dependencies = ""
        if (match(chunk, /dependencies: \[[^]]*\]/)) {
            dependencies = substr(chunk, RSTART, RLENGTH)
            sub(/dependencies: \[/, "", dependencies)
            gsub(/[],"]/, " ", dependencies)
            gsub(/ +/, " ", dependencies)
        }
        print kind, name, folder, dependencies
    }
}

# Returns the text between the quotation marks of the first match.
function quoted(text, pattern, found) {
    if (!match(text, pattern)) return ""
    found = substr(text, RSTART, RLENGTH)
    sub(/^[^"]*"/, "", found)
    sub(/"$/, "", found)
    return found
}
