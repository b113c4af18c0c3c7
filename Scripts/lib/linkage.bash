# What a program links, told by its dynamic section and by its symbols.

# The libraries the loader would load for a program, one a line. Fails when one of them is not found.
libraries_of() {
    local listing
    listing=$(ldd "$1") || return 1
    [[ $listing != *'not found'* ]] || return 1
    printf '%s\n' "$listing"
}

# The symbols a program takes from libraries, one a line.
undefined_symbols_of() {
    local listing
    listing=$("$symbol_lister" -D --undefined-only "$1") || return 1
    # A program that takes nothing from a library was not read.
    [[ -n $listing ]] || return 1
    printf '%s\n' "$listing"
}

# matches PATTERN: whether a line of standard input matches the regular expression; shows those that do.
matches() {
    local line found=1
    while read -r line; do
        if [[ $line =~ $1 ]]; then
            ((found == 0)) || printf '            for example %s\n' "$line"
            found=0
        fi
    done
    return "$found"
}

# loads PROGRAM PATTERN: whether the program loads a library whose name matches.
loads() {
    libraries_of "$1" | matches "^$2"
}

# takes PROGRAM PATTERN: whether the program takes a symbol that matches.
takes() {
    undefined_symbols_of "$1" | matches "(^|[[:space:]])U[[:space:]]+$2"
}

# Sets `symbol_lister` to an nm: the system's, else the tool chain's, else a newly installed one.
find_symbol_lister() {
    local beside_swift
    beside_swift=$(dirname -- "$(readlink -f -- "$(command -v swift)")")/llvm-nm
    if command -v nm >/dev/null; then
        symbol_lister='nm'
    elif [[ -x $beside_swift ]]; then
        symbol_lister=$beside_swift
    else
        install_packages binutils
        symbol_lister='nm'
    fi
}
