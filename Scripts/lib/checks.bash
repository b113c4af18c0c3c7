# Checks of a script: each says what holds or does not, and all are counted.

checks_passed=0
checks_failed=0

# check WHAT COMMAND…: passes when the command succeeds. Details go to standard error, from the command.
check() {
    local what=$1
    shift
    if "$@"; then
        passed "$what"
    else
        failed "$what"
    fi
}

# The opposite, for a check that shows that another can fail.
refute() {
    local what=$1
    shift
    if "$@"; then
        failed "$what"
    else
        passed "$what"
    fi
}

passed() {
    checks_passed=$((checks_passed + 1))
    printf '    ok      %s\n' "$1"
}

failed() {
    checks_failed=$((checks_failed + 1))
    printf '    FAILED  %s\n' "$1"
}

# A check that this machine does not allow; it counts neither way.
not_run() {
    printf '    not run %s: %s\n' "$1" "$2"
}

# Prints the counts and fails when a check failed or none was made.
conclude_checks() {
    printf '%s: %d passed, %d failed\n' "$1" "$checks_passed" "$checks_failed"
    ((checks_failed == 0 && checks_passed > 0))
}
