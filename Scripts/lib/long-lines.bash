# Finds lines that are too long to read. For Scripts/lint.

readonly longest_line=120

# Prints each line with over 120 characters as file:line and its length; fails if there is one. Rows of tables may be
# longer, also in doc comments, and so may lines that are a single link or image. JSON files are not for reading.
check_long_lines() {
    local file line text found=no
    # Characters and not bytes are counted.
    local -x LC_ALL=C.UTF-8
    # -I passes over binary files.
    while IFS=: read -r file line text; do
        echo "${file#./}:$line: ${#text} characters; at most $longest_line are allowed"
        found=yes
    done < <(
        find . \( -name .git -o -name .build -o -name .swiftpm -o -name Fixtures -o -name '.*_cache' \) -prune \
            -o -type f ! -name Package.resolved ! -name '*.json' -print0 \
            | xargs -0 grep -HnIP "^(?!\s*(///? ?)?\||\s*!?\[[^]]*\]\([^)]*\)\$).{$((longest_line + 1)),}"
    )
    [[ $found == no ]]
}
