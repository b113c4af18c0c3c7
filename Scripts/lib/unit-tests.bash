# Builds the unit tests, runs them, and checks that tests of each target were run. Needs idly.bash.

# choose_targets KIND: selects the test targets that a kind of build contains, in the variable that Package.swift reads.
#
# A debug build without a sanitizer contains all test targets. Each other kind contains the targets in which it can find
# what the debug build cannot:
#
# - An optimised build: the targets that test the lifetimes of objects, memory that Swift does not manage, and searches
#   of memory. The load test attacks the optimised tracer-server, and so tests the optimised dashboard and commands.
#   TracerServerTests.ClassZooTests count the objects of an optimised program.
# - ThreadSanitizer: the targets that use several threads. RetainPathsTests search in a copy with one thread.
# - AddressSanitizer: the targets whose code reads or passes raw memory. No search runs under a sanitizer, but the tests
#   of layouts and names do.
#
# TracerServerTests.DemoProgramTests start tracer-server and play all scenarios at once, so each sanitizer sees the
# whole program with all its threads. These kinds of build contain only the folder EachBuild of TracerServerTests.
choose_targets() {
    local targets=''
    case $1 in
        release)
            targets=LifetimeTracerTests,LifetimeTracerFoundationTests,LifetimeTracerTestKitTests,RetainPathsTests
            targets+=,EveryClassTests,VolumeTests,LifetimeTracerServerTests,TracerServerTests
            ;;
        thread)
            targets=LifetimeTracerTests,LifetimeTracerFoundationTests,LifetimeTracerTestKitTests
            targets+=,LifetimeTracerServerTests,TracerServerTests
            ;;
        address)
            targets=TracerBaseTests,LifetimeTracerTests,LifetimeTracerFoundationTests,RetainPathsTests
            targets+=,LifetimeTracerServerTests,TracerServerTests
            ;;
    esac
    [[ -z $targets ]] || export LIFETIME_TRACER_TEST_TARGETS=$targets
}

# is_chosen TARGET: whether the build contains a test target.
is_chosen() {
    [[ -z ${LIFETIME_TRACER_TEST_TARGETS-} || ,$LIFETIME_TRACER_TEST_TARGETS, == *",$1,"* ]]
}

# The tests of TracerServerTests that do not run in a kind of build, although it contains them.
readonly -A unchosen_suites=(
    [thread]='^TracerServerTests\.ClassZooTests/'
    [address]='^TracerServerTests\.ClassZooTests/'
    [release]='^TracerServerTests\.DemoProgramTests/'
)

# The suites whose tests start programs and wait for them. They form three parts, so that the processors always have
# work.
readonly shape_programs='^RetainPathsTests\.(ChurnTests|ShapesTests)/'
readonly limit_programs='^RetainPathsTests\.SystemLimitTests/'
readonly volume_programs='^VolumeTests\.'

# Builds all tests and programs with the options in the array `build_options`.
build_tests() {
    swift build --package-path "$root" --build-tests "${build_options[@]}" 2>&1 | without_linker_noise
}

# Removes GNU gold's warnings about AddressSanitizer's own symbols, about fifty lines for each program.
without_linker_noise() {
    local line
    while IFS= read -r line; do
        [[ $line == *'ld.gold: warning: Cannot export local symbol '* ]] || printf '%s\n' "$line"
    done
}

# Runs all tests that the options in the array `test_options` select. Succeeds if each runner ran a test and none
# failed.
#
# Without a filter, the tests of retain paths run in their own process, one after the other: each test copies the whole
# process, and the copy would contain the work of other tests. Suites that only start programs run in their own
# processes, too. All these processes are parallel, so that no processor is idle.
run_tests() {
    local status=0 ran_swift_testing=0 ran_xctest=0 part
    local -A ran=() beside=()
    local not_alone='^(RetainPathsTests|VolumeTests)\.'
    [[ -z $kind ]] || not_alone+="|${unchosen_suites[$kind]}"
    if ((${#test_options[@]} > 0)); then
        run_part unit-tests "${test_options[@]}" || status=$?
        count_part unit-tests || status=1
        ((status == 0)) || return "$status"
        ((ran_swift_testing + ran_xctest > 0)) || no_test_of "the filter"
        return
    fi
    # These programs search, which no program does under a sanitizer.
    if is_chosen RetainPathsTests && [[ -z $sanitizer ]]; then
        start_part shape-programs --no-parallel --filter "$shape_programs"
        start_part limit-programs --no-parallel --filter "$limit_programs"
    fi
    if is_chosen VolumeTests && ! has_volume_lane; then
        start_part volume-programs --no-parallel --filter "$volume_programs"
    fi
    if is_chosen RetainPathsTests; then
        start_part retain-path-tests --no-parallel --filter '^RetainPathsTests\.' \
            --skip "$shape_programs|$limit_programs"
    fi
    run_part unit-tests --skip "$not_alone" || status=$?
    count_part unit-tests || status=1
    for part in "${!beside[@]}"; do join_part "$part" || status=1; done
    # A failed run may have ended early, so suites that it did not reach are not reported.
    ((status == 0)) || return "$status"
    if sources_import Testing; then
        ((ran_swift_testing > 0)) || no_test_of "Swift Testing" || status=1
    fi
    if sources_import XCTest; then
        ((ran_xctest > 0)) || no_test_of XCTest || status=1
    fi
    each_target_ran || status=1
    return "$status"
}

# Whether `run_volume_tests` runs the volume tests, in parallel with all other steps. The programs of a debug build take
# minutes for their rounds; those of the other builds are faster or do fewer rounds.
has_volume_lane() {
    [[ -z $kind ]]
}

# The volume tests wait for nothing, so they use what the other lanes leave. Those run one process after the other and
# would otherwise end last, alone.
run_volume_tests() {
    local status=0 ran_swift_testing=0 ran_xctest=0 part_prefix=("${idly[@]}")
    local -A ran=()
    run_part volume-programs --filter "$volume_programs" || status=$?
    count_part volume-programs || status=1
    return "$status"
}

# start_part NAME OPTION…: starts `run_part` in parallel and records it in `beside`. `join_part` prints its output.
start_part() {
    run_part "$@" >"$results/$1.output" 2>&1 &
    beside[$1]=$!
}

# join_part NAME: waits for a part that `start_part` started, prints its output, and counts its tests.
join_part() {
    local status=0
    wait "${beside[$1]}" || status=$?
    cat -- "$results/$1.output"
    count_part "$1" || status=1
    return "$status"
}

# run_part NAME OPTION…: runs the tests that the options select. Its log and report are files of that name. The command
# begins with the words in the array `part_prefix`, if there is one.
run_part() {
    local log=$results/$1.log report=$results/$1.xml status=0
    rm -f -- "$log" "$report" "$(swift_testing_report_of "$1")"
    shift
    # `--skip-build` leaves the build folder unchanged, so two parts may use it at once.
    ${part_prefix[@]+"${part_prefix[@]}"} \
        swift test --package-path "$root" --skip-build --ignore-lock "${build_options[@]}" "$@" \
        --xunit-output "$report" 2>&1 | tee -- "$log" || status=$?
    return "$status"
}

# count_part NAME: counts the tests of a part; adds to `ran_swift_testing`, `ran_xctest` and `ran`. Fails if a sanitizer
# reported an error.
count_part() {
    local log=$results/$1.log report passed failed
    report=$(swift_testing_report_of "$1")
    count_swift_testing "$report"
    count "$passed" "$failed"
    ran_swift_testing=$((ran_swift_testing + passed + failed))
    count_xctest "$log"
    count "$passed" "$failed"
    ran_xctest=$((ran_xctest + passed + failed))
    note_swift_testing_targets "$report"

    if a_sanitizer_complained "$log"; then
        say "a sanitizer found something; see above"
        return 1
    fi
}

# Prints the path of Swift Testing's report, whose name derives from the name of the requested report.
swift_testing_report_of() {
    printf '%s' "$results/$1-swift-testing.xml"
}

no_test_of() {
    say "no test of $1 was run"
    return 1
}

# Whether a sanitizer printed a report. The exit code alone is not enough, because a test may ignore the exit code of a
# program that it starts.
a_sanitizer_complained() {
    local line
    while IFS= read -r line; do
        [[ ! $line =~ (WARNING|ERROR):\ [A-Z][A-Za-z]*Sanitizer ]] || return 0
    done <"$1"
    return 1
}

# sources_import MODULE: whether a source of a test target imports the module.
sources_import() {
    local folder file line
    for folder in "$root"/Tests/*Tests; do
        is_chosen "${folder##*/}" || continue
        for file in "$folder"/*.swift "$folder"/*/*.swift; do
            [[ -f $file ]] || continue
            while IFS= read -r line; do
                [[ ! $line =~ ^(@testable\ )?import\ $1($|[[:space:]]) ]] || return 0
            done <"$file"
        done
    done
    return 1
}

# Whether at least one test of each test target was run. A target without tests is reported as an error.
each_target_ran() {
    local folder target status=0
    for folder in "$root"/Tests/*Tests; do
        target=${folder##*/}
        is_chosen "$target" || continue
        # The step of the volume tests fails by itself if it ran no test.
        [[ $target != VolumeTests ]] || ! has_volume_lane || continue
        if [[ -z ${ran[$target]-} && -z ${ran[listed]-} ]]; then
            ran[listed]=1
            note_xctest_targets
        fi
        [[ -n ${ran[$target]-} ]] || no_test_of "$target" || status=1
    done
    return "$status"
}

# Sets `ran` for each target that has a test in the report that was not skipped.
note_swift_testing_targets() {
    local line target=''
    [[ -f $1 ]] || return 0
    while IFS= read -r line; do
        [[ ! $line =~ \<testcase\ classname=\"([A-Za-z0-9_]+) ]] || target=${BASH_REMATCH[1]}
        if [[ -n $target && ($line == *'<testcase '*'/>' || $line == *'<failure'*) ]]; then
            ran[$target]=1
        fi
    done <"$1"
}

# Sets `ran` for each target that has XCTest tests. XCTest does not print the module of a test that it runs, but the
# list of tests contains it. In that list, XCTest's tests have no parentheses, unlike tests of Swift Testing.
note_xctest_targets() {
    local line
    while IFS= read -r line; do
        [[ ! $line =~ ^([A-Za-z0-9_]+)\.[A-Za-z0-9_]+/test[A-Za-z0-9_]*$ ]] || ran[${BASH_REMATCH[1]}]=1
    done < <(swift test list --package-path "$root" --skip-build "${build_options[@]}" 2>/dev/null)
}
