# Words to the person, in short lines. They go to standard error: standard output belongs to the programs that are run.

say() {
    printf '==> %s\n' "$*" >&2
}

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# For a command line that cannot be understood.
refuse() {
    printf 'error: %s; see %s --help\n' "$*" "Scripts/${0##*/}" >&2
    exit 2
}

# The comment at the top of a script is its help.
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
