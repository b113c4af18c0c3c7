# Measures the benchmark program with callgrind, memcheck and heaptrack, and prints figures. Needs figures.bash.
#
# `benchmarks` is the path of the program. The cost of the objects alone is the difference between a run and a run with
# half as many objects.

readonly shorter=10000 longer=20000

# Copies figures without the lines that describe the machine, which an earlier run has printed already.
without_facts() {
    local line
    while IFS= read -r line; do
        [[ $line == '# '* ]] || printf '%s\n' "$line"
    done
}

# Sets `lean_program` to a copy of the program without debug information: valgrind 3.19 cannot read the debug
# information of current compilers.
prepare_for_valgrind() {
    lean_program=$folder/benchmarks
    if command -v strip >/dev/null; then
        strip --strip-debug -o "$lean_program" "$benchmarks"
    else
        cp -- "$benchmarks" "$lean_program"
    fi
    # With per-process hash seeds, the work of dictionaries and therefore the counts would differ between runs.
    export SWIFT_DETERMINISTIC_HASHING=1
}

# instructions_of CONTENDER PAIRS: prints the number of instructions inside the function that creates the pairs in a
# loop, on the thread of that function.
instructions_of() {
    local log=$folder/callgrind.log line
    valgrind --tool=callgrind --callgrind-out-file="$folder/callgrind.out" --toggle-collect='*hotPairs*' \
        "$lean_program" pairs "$1" "$2" >"$log" 2>&1 || die "callgrind failed; see $log"
    while IFS= read -r line; do
        [[ ! $line =~ Collected\ :\ ([0-9]+) ]] || printf '%s' "${BASH_REMATCH[1]}"
    done <"$log"
}

count_instructions() {
    local contender less more each bare=''
    if ! command -v valgrind >/dev/null; then
        gap instructions "valgrind is not installed"
        return
    fi
    say "instructions (callgrind)"
    prepare_for_valgrind
    for contender in bare traced token counter dictionaries tracker; do
        less=$(instructions_of "$contender" "$shorter")
        more=$(instructions_of "$contender" "$longer")
        ((more > less)) || die "callgrind counted nothing for '$contender': ${less:-nothing} and ${more:-nothing}"
        each=$(quotient $((more - less)) $((longer - shorter)))
        bare=${bare:-$each}
        exact_figure instructions "$contender" - instructions "$each"
        [[ $contender == bare ]] || exact_figure instructions "$contender" bare x "$(quotient "$each" "$bare")"
    done
}

# allocations_of CONTENDER OBJECTS: prints the number of malloc calls of a process that keeps that many objects.
allocations_of() {
    local log=$folder/memcheck.log line
    valgrind --tool=memcheck --leak-check=no "$lean_program" hold "$1" "$2" >"$log" 2>&1 \
        || die "memcheck failed; see $log"
    while IFS= read -r line; do
        [[ ! $line =~ total\ heap\ usage:\ ([0-9,]+)\ allocs ]] || printf '%s' "${BASH_REMATCH[1]//,/}"
    done <"$log"
}

count_allocations() {
    local contender less more
    if ! command -v valgrind >/dev/null; then
        gap allocations "valgrind is not installed"
        return
    fi
    say "allocations (memcheck)"
    prepare_for_valgrind
    for contender in bare traced token; do
        less=$(allocations_of "$contender" "$shorter")
        more=$(allocations_of "$contender" "$longer")
        ((more > less)) || die "memcheck counted nothing for '$contender': ${less:-nothing} and ${more:-nothing}"
        exact_figure allocations "$contender" - calls "$(quotient $((more - less)) $((longer - shorter)))"
    done
}

# Times whole processes. Each round runs each contender once.
time_processes() {
    local round name took rounds=5 pairs=1000000 samples=$folder/processes
    local -a names=(bare traced)
    ((${#quick[@]} == 0)) || rounds=3
    if command -v heaptrack >/dev/null; then names+=(heaptrack); else gap process "heaptrack is not installed"; fi
    if command -v valgrind >/dev/null; then names+=(memcheck); else gap process "valgrind is not installed"; fi
    say "whole processes"
    ! command -v valgrind >/dev/null || prepare_for_valgrind
    : >"$samples"
    for ((round = 0; round < rounds; round++)); do
        for name in "${names[@]}"; do
            took=$(time_process "$name")
            printf '%d %s %s\n' "$round" "$name" "$took" >>"$samples"
        done
    done
    print_spreads process ms bare "$samples"
}

time_process() {
    case $1 in
        bare | traced) milliseconds_of "$benchmarks" pairs "$1" "$pairs" ;;
        heaptrack) milliseconds_of heaptrack -o "$folder/heaptrack" "$benchmarks" pairs bare "$pairs" ;;
        memcheck) milliseconds_of valgrind --tool=memcheck --leak-check=full "$lean_program" pairs bare "$pairs" ;;
    esac
}
