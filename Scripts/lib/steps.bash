# Steps that are timed and counted, one after the other; a failed one does not keep the next from running.
#
# A step is a function. It calls `count PASSED FAILED` for each runner it starts, and returns 0 when all is well.

step_lines=()
total_passed=0
total_failed=0

# Inside a step: reports what a runner counted.
count() {
    printf '%d %d\n' "$1" "$2" >>"$results/counts"
}

# run_step NAME counted|uncounted FUNCTION: a counted step that passed nothing has failed, whatever it says.
run_step() {
    local name=$1 kind=$2 function=$3 status=0 verdict started=${EPOCHREALTIME//[!0-9]/}
    local passed=0 failed=0 more_passed more_failed
    say "$name"
    : >"$results/counts"
    # In a subshell outside any condition, so that errexit holds in it. It reads no input.
    set +e
    (
        set -e
        "$function"
    ) </dev/null
    status=$?
    set -e
    while read -r more_passed more_failed; do
        passed=$((passed + more_passed)) failed=$((failed + more_failed))
    done <"$results/counts"
    if [[ $kind == counted ]] && ((passed + failed == 0 && status == 0)); then
        say "$name: nothing was run"
        status=1
    fi
    # What fails counts, also where no runner came to count it.
    ((status == 0 || failed > 0)) || failed=1
    ((failed == 0 || status != 0)) || status=1
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    verdict=ok
    ((status == 0)) || verdict=FAILED
    note_step "$verdict" "$name" "$(seconds_since "$started")" "$passed" "$failed"
    step_status=$status
}

# A line of the summary for a step that was left out.
skip_step() {
    step_lines+=("$(printf '%-8s %-28s %9s  %s' skipped "$1" '' "$2")")
}

note_step() {
    local counts=''
    (($4 + $5 == 0)) || counts="$4 passed, $5 failed"
    step_lines+=("$(printf '%-8s %-28s %7s s  %s' "$1" "$2" "$3" "$counts")")
}

seconds_since() {
    local tenths=$(((${EPOCHREALTIME//[!0-9]/} - $1) / 100000))
    printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}

# Prints the summary and, alone on the last line, the counts. Fails when a step failed or nothing passed.
conclude_steps() {
    local line
    printf '\n'
    for line in "${step_lines[@]}"; do
        printf '%s\n' "${line%"${line##*[![:space:]]}"}"
    done
    printf '\n%d passed, %d failed\n' "$total_passed" "$total_failed"
    ((total_failed == 0 && total_passed > 0))
}
