# Compares the code blocks of documents with code that the builds compile.
#
# A block follows a line `<!-- example: NAME -->` or `<!-- guide: NAME -->`. An example is in Examples/Embedding between
# `// example NAME: begin` and `// example NAME: end`. A part of the guide to leaks in tests is in the test kit's tests,
# between `// guide: NAME` and `// guide: end`, and can be indented.

readonly example_sources=Examples/Embedding/Sources/ChatServer
readonly guide_sources=Tests/LifetimeTracerTestKitTests/Guide

# blocks_agree FILE: whether the document has marked blocks, and each equals its source. Prints the differences.
blocks_agree() {
    local mark shown compiled marks
    marks=$(sed -nE 's/^<!-- ((example|guide): .*) -->$/\1/p' "$1")
    [[ -n $marks ]] || {
        echo "            ${1#"$root/"} shows no example"
        return 1
    }
    while IFS= read -r mark; do
        shown=$(block_after "<!-- $mark -->" "$1")
        compiled=$(source_of "${mark%%: *}" "${mark#*: }")
        if [[ -z $shown || $shown != "$compiled" ]]; then
            printf '            %s in %s differs from its source:\n' "$mark" "${1#"$root/"}"
            diff <(printf '%s\n' "$shown") <(printf '%s\n' "$compiled") || true
            return 1
        fi
    done <<<"$marks"
}

# block_after LINE FILE: prints the swift block that follows the line.
block_after() {
    awk -v mark="$1" '
        $0 == mark { marked = 1; next }
        marked && !inside && $0 == "```swift" { inside = 1; next }
        inside && $0 == "```" { exit }
        inside { print }' "$2"
}

# source_of example|guide NAME: prints the lines between the marks, without the indentation of the first mark.
source_of() {
    local folder=$example_sources begin="// example $2: begin" end="// example $2: end"
    [[ $1 == example ]] || folder=$guide_sources begin="// guide: $2" end="// guide: end"
    cat -- "$root/$folder"/*.swift | awk -v begin="$begin" -v end="$end" '
        { line = $0; sub(/^ +/, "", line) }
        inside && line == end { inside = 0 }
        inside { print (substr($0, 1, indent) ~ /^ *$/ ? substr($0, indent + 1) : $0) }
        !inside && line == begin { inside = 1; indent = length($0) - length(line) }'
}

# unmarked_blocks FILE: prints the numbers of the lines where a swift block begins without a mark.
unmarked_blocks() {
    awk '
        /^```swift$/ && previous !~ /^<!-- (example|guide): .* -->$/ { print FNR }
        { previous = $0 }' "$1"
}
