# Steps that are timed and counted; a failed one does not keep the next from running.
#
# A step is a function. It calls `count PASSED FAILED` for each runner it starts, and returns 0 when all is well. Some steps
# may run beside the others, in a lane. What a step came to is a line of $results/steps: verdict, name, seconds, seconds of
# processors, passed, failed.

# The processes of the lane, while there is one.
lane=''

begin_steps() {
    : >"$results/steps"
}

# Inside a step: reports what a runner counted.
count() {
    printf '%d %d\n' "$1" "$2" >>"$counts"
}

# run_step NAME counted|uncounted FUNCTION [ARGUMENT…]: sets `step_status`. A counted step that passed nothing has failed,
# whatever it says.
run_step() {
    local name=$1 kind=$2 status=0 verdict=ok started=${EPOCHREALTIME//[!0-9]/}
    local passed=0 failed=0 more_passed more_failed counts processors=0
    shift 2
    say "$name"
    counts=$(mktemp "$results/counts.XXXXXX")
    # In a subshell outside any condition, so that errexit holds in it. It reads no input.
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
    if [[ $kind == counted ]] && ((passed + failed == 0 && status == 0)); then
        say "$name: nothing was run"
        status=1
    fi
    # What fails counts, also where no runner came to count it.
    ((status == 0 || failed > 0)) || failed=1
    ((failed == 0 || status != 0)) || status=1
    ((status == 0)) || verdict=FAILED
    note_step "$verdict" "$name" "$(seconds_since "$started")" "$processors" "$passed" "$failed"
    step_status=$status
}

# A line of the summary for a step that was left out.
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

# Adds up what the builtin `times` printed: the shell's own and its children's.
seconds_of_processors() {
    local part sum=0
    while read -r -a parts; do
        for part in "${parts[@]}"; do
            [[ ! $part =~ ^([0-9]+)m([0-9]+)[.,] ]] || sum=$((sum + BASH_REMATCH[1] * 60 + BASH_REMATCH[2]))
        done
    done
    printf '%d' "$sum"
}

# Runs steps beside those that follow, up to `join_lane`, which prints what they printed.
start_lane() {
    # A group of its own, so that all of it can be ended together.
    set -m
    "$@" >"$results/lane.log" 2>&1 </dev/null &
    lane=$!
    set +m
}

join_lane() {
    wait "$lane" || true
    lane=''
    cat -- "$results/lane.log" >&2
}

# Ends a lane that still runs, with all that it started.
end_lane() {
    [[ -z $lane ]] || kill -- "-$lane" 2>/dev/null || true
}

# Prints the summary and, alone on the last line, the counts. Fails when a step failed or nothing passed.
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
