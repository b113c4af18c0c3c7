# Compares the code blocks of documents with code that the builds compile.
#
# A block follows a line `<!-- example: NAME -->` or `<!-- guide: NAME -->`. An example is in Examples/Embedding between
# `// example NAME: begin` and `// example NAME: end`. A part of the guide to leaks in tests is in TestingGuideTests
# between `// guide: NAME` and `// guide: end`. Both can be indented. Both see the public API alone: Examples/Embedding
# is a package of its own, and the target TestingGuideTests has no package access. A block after `<!-- manifest -->` is
# a part of a Package.swift, and check-embedding compares the block after `<!-- embedding -->`.

readonly example_sources=Examples/Embedding/Sources
readonly guide_sources=Tests/TestingGuideTests

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
    local begin="// example $2: begin" end="// example $2: end"
    local -a files=("$root/$example_sources"/*/*.swift)
    [[ $1 == example ]] || {
        begin="// guide: $2" end="// guide: end"
        files=("$root/$guide_sources"/*.swift)
    }
    cat -- "${files[@]}" | awk -v begin="$begin" -v end="$end" '
        { line = $0; sub(/^ +/, "", line) }
        inside && line == end { inside = 0 }
        inside { print (substr($0, 1, indent) ~ /^ *$/ ? substr($0, indent + 1) : $0) }
        !inside && line == begin { inside = 1; indent = length($0) - length(line) }'
}

# products_in_manifests FILE: prints the names of the products of this package in the blocks marked as manifests.
products_in_manifests() {
    awk '
        $0 == "<!-- manifest -->" { inside = 1 }
        inside && $0 == "```" { inside = 0 }
        inside' "$1" | sed -nE 's/.*[.]product\(name: "([^"]+)", package: "LifetimeTracer"\).*/\1/p'
}

# sees_public_api_only: whether the guide's target has no package access, and none of its imports is testable.
sees_public_api_only() {
    awk -v name="${guide_sources##*/}" '
        index($0, "name: \"" name "\"") { inside = 1 }
        inside && /packageAccess: false/ { found = 1 }
        inside && /^    [.]|^\]/ { inside = 0 }
        END { exit !found }' "$root/Package.swift" || {
        echo "            Package.swift gives ${guide_sources##*/} package access"
        return 1
    }
    ! grep -n '@testable' "$root/$guide_sources"/*.swift
}

# unmarked_blocks FILE: prints the numbers of the lines where a swift block begins without a mark.
unmarked_blocks() {
    awk '
        /^ *```swift$/ && previous !~ /^<!-- (((example|guide): .*)|manifest|embedding) -->$/ { print FNR }
        { previous = $0 }' "$1"
}
