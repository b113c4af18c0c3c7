# Messages to the user. They go to standard error, because standard output belongs to the programs that a script runs.

say() {
    printf '==> %s\n' "$*" >&2
}

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Reports a wrong command line and ends the script with exit code 2.
refuse() {
    printf 'error: %s; see %s --help\n' "$*" "Scripts/${0##*/}" >&2
    exit 2
}

# Prints the help of a script: the comment at its head.
print_help_of() {
    local line
    while IFS= read -r line; do
        case $line in
            '#!'*) ;;
            '#') echo ;;
            '# '*) printf '%s\n' "${line#\# }" ;;
            *) break ;;
        esac
    done <"$1"
}
