# The checks of a script. Each check prints its result, and all results are counted.

checks_passed=0
checks_failed=0

# check WHAT COMMAND…: passes if the command succeeds. The command prints the details of a failure.
check() {
    local what=$1
    shift
    if "$@"; then
        passed "$what"
    else
        failed "$what"
    fi
}

# refute WHAT COMMAND…: passes if the command fails.
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

# not_run WHAT REASON: reports a check that cannot run on this machine. The check is not counted.
not_run() {
    printf '    not run %s: %s\n' "$1" "$2"
}

# conclude_checks NAME: prints the counts. Fails if a check failed or none was run.
conclude_checks() {
    printf '%s: %d passed, %d failed\n' "$1" "$checks_passed" "$checks_failed"
    ((checks_failed == 0 && checks_passed > 0))
}
