# Runs steps, times them and counts their tests. After a failed step, the next steps still run.
#
# A step is a function. It calls `count PASSED FAILED` for each test runner that it starts, and returns 0 if nothing
# failed. The steps of a lane run one after the other, in parallel with those of other lanes. Each step writes a line to
# $results/steps: result, name, seconds, CPU seconds, passed, failed.

# The process groups of the running lanes, by name.
declare -A lanes=()

begin_steps() {
    : >"$results/steps"
}

# count PASSED FAILED: reports the counts of a test runner. Call this function inside a step.
count() {
    printf '%d %d\n' "$1" "$2" >>"$counts"
}

# run_step NAME counted|uncounted FUNCTION [ARGUMENT…]: runs a step and sets `step_status`. A counted step that counted
# no test fails, even if it returned 0.
run_step() {
    local name=$1 counting=$2 status=0 verdict=ok started=${EPOCHREALTIME//[!0-9]/}
    # A step sees these variables, so none of them may have the name of a variable that a step uses.
    local passed=0 failed=0 more_passed more_failed counts processors=0
    shift 2
    say "$name"
    counts=$(mktemp "$results/counts.XXXXXX")
    # errexit has no effect inside a condition, so the subshell runs outside any. The subshell has no input.
    set +e
    (
        trap 'times >"$counts.times"' EXIT
        set -e
        "$@"
    ) </dev/null
    status=$?
    set -e
    while read -r more_passed more_failed; do
        passed=$((passed + more_passed)) failed=$((failed + more_failed))
    done <"$counts"
    [[ ! -f $counts.times ]] || processors=$(seconds_of_processors <"$counts.times")
    rm -f -- "$counts" "$counts.times"
    if [[ $counting == counted ]] && ((passed + failed == 0 && status == 0)); then
        say "$name: nothing was run"
        status=1
    fi
    # A failed step counts as one failure if no runner counted any.
    ((status == 0 || failed > 0)) || failed=1
    ((failed == 0 || status != 0)) || status=1
    ((status == 0)) || verdict=FAILED
    note_step "$verdict" "$name" "$(seconds_since "$started")" "$processors" "$passed" "$failed"
    step_status=$status
}

# skip_step NAME REASON: adds a line to the summary for a step that does not run.
skip_step() {
    note_step skipped "$1 ($2)" - - 0 0
}

note_step() {
    local IFS=$'\t'
    printf '%s\n' "$*" >>"$results/steps"
}

seconds_since() {
    local tenths=$(((${EPOCHREALTIME//[!0-9]/} - $1) / 100000))
    printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}

# Adds up the output of the builtin `times`: the CPU seconds of the shell and its children.
seconds_of_processors() {
    local part sum=0
    while read -r -a parts; do
        for part in "${parts[@]}"; do
            [[ ! $part =~ ^([0-9]+)m([0-9]+)[.,] ]] || sum=$((sum + BASH_REMATCH[1] * 60 + BASH_REMATCH[2]))
        done
    done
    printf '%d' "$sum"
}

# start_lane FUNCTION: runs steps in parallel with the steps that follow, until `join_lane FUNCTION`, which prints their
# output.
start_lane() {
    # The lane gets its own process group, so that `end_lanes` can end it with all its children.
    set -m
    "$1" >"$results/$1.log" 2>&1 </dev/null &
    lanes[$1]=$!
    set +m
}

join_lane() {
    wait "${lanes[$1]}" || true
    unset "lanes[$1]"
    cat -- "$results/$1.log" >&2
}

# Ends all running lanes and the processes that they started.
end_lanes() {
    local name
    for name in "${!lanes[@]}"; do kill -- "-${lanes[$name]}" 2>/dev/null || true; done
}

# Prints the summary and, alone on the last line, the counts. Fails if a step failed or nothing passed.
conclude_steps() {
    local verdict name seconds processors passed failed counts total_passed=0 total_failed=0
    printf '\n'
    while IFS=$'\t' read -r verdict name seconds processors passed failed; do
        counts=''
        ((passed + failed == 0)) || counts="$passed passed, $failed failed"
        total_passed=$((total_passed + passed))
        total_failed=$((total_failed + failed))
        printf '%-8s %-32s %7s s %7s s CPU  %s\n' "$verdict" "$name" "$seconds" "$processors" "$counts"
    done <"$results/steps"
    printf '\n%d passed, %d failed\n' "$total_passed" "$total_failed"
    ((total_failed == 0 && total_passed > 0))
}
