# The libraries and symbols that a program links, read from its dynamic section and symbol table.

# Prints the libraries that the loader would load for a program, one per line. Fails if one of them is not found.
libraries_of() {
    local listing
    listing=$(ldd "$1") || return 1
    [[ $listing != *'not found'* ]] || return 1
    printf '%s\n' "$listing"
}

# Prints the symbols that a program imports from libraries, one per line.
undefined_symbols_of() {
    local listing
    listing=$("$symbol_lister" -D --undefined-only "$1") || return 1
    # Every program imports symbols, so an empty listing means that the program was not read.
    [[ -n $listing ]] || return 1
    printf '%s\n' "$listing"
}

# matches PATTERN: whether a line of standard input matches the regular expression; prints the first line that matches.
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

# takes PROGRAM PATTERN: whether the program imports a symbol that matches.
takes() {
    undefined_symbols_of "$1" | matches "(^|[[:space:]])U[[:space:]]+$2"
}

# Sets `symbol_lister` to an nm: the system's, else the tool chain's, else one that this function installs.
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
