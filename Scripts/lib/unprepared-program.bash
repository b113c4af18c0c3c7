# Measures what `tracer-server run` costs a program that nobody prepared, and prints figures. Needs figures.bash.
#
# `unprepared` is the path of that program, and `tracer_server` that of the command with the agent beside it. Each round
# runs the program alone and under the command, one after the other.

readonly unprepared_objects=1000000

# under_run COMMAND…: runs a program under `tracer-server run`.
under_run() {
    "$tracer_server" run --listen 127.0.0.1:0 -- "$@" 2>>"$folder/run.log"
}

# compare_times WORKLOAD COMMAND COUNT: prints the nanoseconds that the program measures, for a pair of one kind.
compare_times() {
    local workload=$1 round samples=$folder/$1
    say "$workload"
    : >"$samples"
    for ((round = 0; round < unprepared_rounds; round++)); do
        printf '%d bare %s\n' "$round" "$("$unprepared" "$2" "$3")" >>"$samples"
        printf '%d run %s\n' "$round" "$(under_run "$unprepared" "$2" "$3")" >>"$samples"
    done
    print_spreads "$workload" ns bare "$samples"
}

# extra_bytes COMMAND OBJECTS: prints by how much the peak memory of the program is higher under `run`.
extra_bytes() {
    local alone traced
    alone=$("$unprepared" "$1" "$2")
    traced=$(under_run "$unprepared" "$1" "$2")
    printf '%d' $((traced - alone))
}

# Prints the bytes of an object of either class: of a further object, and of each of 1,000,000 with everything that the
# agent brings.
compare_memory() {
    local class round fewer more samples=$folder/run-memory
    say "run-memory"
    : >"$samples"
    for ((round = 0; round < (unprepared_rounds + 2) / 3; round++)); do
        for class in two-fields one-field; do
            fewer=$(extra_bytes "$class" "$unprepared_objects")
            more=$(extra_bytes "$class" $((2 * unprepared_objects)))
            printf '%d %s %s\n' "$round" "$class" "$(quotient $((more - fewer)) "$unprepared_objects")"
            printf '%d %s %s\n' "$round" "$class-and-agent" "$(quotient "$fewer" "$unprepared_objects")"
        done >>"$samples"
    done
    print_spreads run-memory bytes '' "$samples"
}

# Prints the milliseconds of the program that prints a line, and by how many milliseconds `run` delays its end.
compare_starts() {
    local round bare run samples=$folder/run-start
    say "run-start"
    : >"$samples"
    for ((round = 0; round < 2 * unprepared_rounds; round++)); do
        bare=$(milliseconds_of "$unprepared" line)
        run=$(milliseconds_of under_run "$unprepared" line)
        printf '%d bare %s\n%d run %s\n%d added %s\n' "$round" "$bare" "$round" "$run" "$round" \
            "$(awk -v a="$run" -v b="$bare" 'BEGIN { print a - b }')" >>"$samples"
    done
    print_spreads run-start ms '' "$samples"
}

# Prints the figures of the workloads that were requested.
measure_unprepared_program() {
    unprepared_rounds=15
    ((${#quick[@]} == 0)) || unprepared_rounds=3
    ! wants run-pair || compare_times run-pair pair 2000000
    ! wants run-ring || compare_times run-ring ring 2000000
    ! wants run-retain || compare_times run-retain retain 5000000
    ! wants run-memory || compare_memory
    ! wants run-start || compare_starts
}
