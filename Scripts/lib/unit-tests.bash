# The unit tests: building them, running them, and making sure that they were run.

# A sanitizer runs all suites but these.
#
# These start tracer-server many times and compare what it prints and answers. DemoProgramTests start it, too, and play
# all scenarios in it at once, so each sanitizer sees the whole program with all its threads.
#
# ThreadSanitizer leaves RetainPathsTests out as well: a search happens in a copy of the process, which has one thread, and
# no search is made under a sanitizer. What is left of these tests reads layouts and names on one thread. AddressSanitizer
# runs them, since they read raw memory. It leaves out VolumeTests, too: each kind of rounds is made on one thread.
not_sanitized='^TracerServerTests\.(LeakingScenarioTests|MendedScenarioTests|CheckProgramTests|WhyProgramTests'
not_sanitized+='|CheckVerdictProgramTests|ConnectionProgramTests|OutputProgramTests|TopProgramTests|WhyTypeProgramTests)/'
readonly not_sanitized

# Suites each of whose tests starts programs one after the other and waits for them: two parts that take about as long.
readonly shape_programs='^RetainPathsTests\.(ChurnTests|ShapesTests)/'
readonly limit_programs='^(VolumeTests\.|RetainPathsTests\.SystemLimitTests/)'

# build_tests: everything, tests and programs, with the options in the array `build_options`.
build_tests() {
    swift build --package-path "$root" --build-tests "${build_options[@]}" 2>&1 | without_linker_noise
}

# GNU gold warns of each of AddressSanitizer's own symbols, about fifty lines for each program.
without_linker_noise() {
    local line
    while IFS= read -r line; do
        [[ $line == *'ld.gold: warning: Cannot export local symbol '* ]] || printf '%s\n' "$line"
    done
}

# One run of all tests that the array `test_options` leaves in. Succeeds when each runner ran some and none failed.
#
# Without a filter the tests of retain paths run by themselves and one after the other: each copies the whole process, and
# the copy would contain all that other tests do at the same time. Tests that only start programs run beside them, in
# processes of their own, so that no processor is idle.
run_tests() {
    local status=0 ran_swift_testing=0 ran_xctest=0 part
    local -A ran=() beside=()
    if ((${#test_options[@]} > 0)); then
        run_part unit-tests "${test_options[@]}" || status=$?
        count_part unit-tests || status=1
        ((status == 0)) || return "$status"
        ((ran_swift_testing + ran_xctest > 0)) || no_test_of "the filter"
        return
    fi
    if [[ $sanitizer != thread ]]; then
        start_part shape-programs --no-parallel --filter "$shape_programs"
        start_part limit-programs --no-parallel --filter "$limit_programs"
    else
        ran[RetainPathsTests]=1
        ran[VolumeTests]=1
    fi
    run_part unit-tests --skip "^(RetainPathsTests|VolumeTests)\\.${sanitizer:+|$not_sanitized}" || status=$?
    count_part unit-tests || status=1
    if [[ $sanitizer != thread ]]; then
        run_part retain-path-tests --no-parallel --filter '^RetainPathsTests\.' \
            --skip "$shape_programs|$limit_programs" || status=$?
        count_part retain-path-tests || status=1
        for part in "${!beside[@]}"; do join_part "$part" || status=1; done
    fi
    # A run that failed has said so; what it did not come to is no news.
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

# start_part NAME OPTION…: starts such a run beside the others; notes it in `beside`. What it prints is printed by `join_part`.
start_part() {
    run_part "$@" >"$results/$1.output" 2>&1 &
    beside[$1]=$!
}

# join_part NAME: waits for a run that was started, prints what it printed, and counts it.
join_part() {
    local status=0
    wait "${beside[$1]}" || status=$?
    cat -- "$results/$1.output"
    count_part "$1" || status=1
    return "$status"
}

# run_part NAME OPTION…: runs the tests that the options leave in. What it writes is in files of that name.
run_part() {
    local log=$results/$1.log report=$results/$1.xml status=0
    rm -f -- "$log" "$report" "$(swift_testing_report_of "$1")"
    shift
    # Nothing is built, so two parts may use the build folder at once.
    swift test --package-path "$root" --skip-build --ignore-lock "${build_options[@]}" "$@" \
        --xunit-output "$report" 2>&1 | tee -- "$log" || status=$?
    return "$status"
}

# count_part NAME: counts what a part has run; adds to `ran_swift_testing`, `ran_xctest` and `ran`. Fails when a sanitizer
# found something.
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

# The test library names its own report after the one that was asked for.
swift_testing_report_of() {
    printf '%s' "$results/$1-swift-testing.xml"
}

no_test_of() {
    say "no test of $1 was run"
    return 1
}

# Whether a sanitizer printed a report. Its exit code could get lost where a test starts a program.
a_sanitizer_complained() {
    local line
    while IFS= read -r line; do
        [[ ! $line =~ (WARNING|ERROR):\ [A-Z][A-Za-z]*Sanitizer ]] || return 0
    done <"$1"
    return 1
}

# Whether a test source imports that module.
sources_import() {
    local file line
    for file in "$root"/Tests/*/*.swift "$root"/Tests/*/*/*.swift; do
        [[ -f $file ]] || continue
        while IFS= read -r line; do
            [[ ! $line =~ ^(@testable\ )?import\ $1($|[[:space:]]) ]] || return 0
        done <"$file"
    done
    return 1
}

# Whether at least one test of each test target was run: a target that has lost its tests must not go unnoticed.
each_target_ran() {
    local folder target status=0
    for folder in "$root"/Tests/*Tests; do
        target=${folder##*/}
        if [[ -z ${ran[$target]-} && -z ${ran[listed]-} ]]; then
            ran[listed]=1
            note_xctest_targets
        fi
        [[ -n ${ran[$target]-} ]] || no_test_of "$target" || status=1
    done
    return "$status"
}

# Sets `ran` of each target of which the report has a test that was not skipped.
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

# Sets `ran` of each target that has XCTest tests. XCTest does not print their modules when it runs them, but the
# listing has them, and unlike a test of Swift Testing without parentheses.
note_xctest_targets() {
    local line
    while IFS= read -r line; do
        [[ ! $line =~ ^([A-Za-z0-9_]+)\.[A-Za-z0-9_]+/test[A-Za-z0-9_]*$ ]] || ran[${BASH_REMATCH[1]}]=1
    done < <(swift test list --package-path "$root" --skip-build "${build_options[@]}" 2>/dev/null)
}
