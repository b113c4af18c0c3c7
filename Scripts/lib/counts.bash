# Counts passed and failed tests in the reports and output of the test runners.
#
# Each function sets `passed` and `failed`, which its caller declares.

# Counts the tests in a report of Swift Testing. A test with arguments is one test; a disabled test is not counted.
count_swift_testing() {
    local line open=no
    passed=0 failed=0
    [[ -f $1 ]] || return 0
    while IFS= read -r line; do
        case $line in
            *'<testcase '*'/>') passed=$((passed + 1)) ;;
            *'<testcase '*) open=yes ;;
            *'<failure'*)
                [[ $open == no ]] || failed=$((failed + 1))
                open=no
                ;;
            *'<skipped'*) open=no ;;
            *'</testcase>'*)
                [[ $open == no ]] || passed=$((passed + 1))
                open=no
                ;;
        esac
    done <"$1"
}

# Counts XCTest's lines for finished tests in the output of `swift test`.
count_xctest() {
    local line
    passed=0 failed=0
    while IFS= read -r line; do
        if [[ $line =~ Test\ Case\ \'[^\']+\'\ (passed|failed)\ \( ]]; then
            case ${BASH_REMATCH[1]} in
                passed) passed=$((passed + 1)) ;;
                failed) failed=$((failed + 1)) ;;
            esac
        fi
    done <"$1"
}

# Counts the tests in a JUnit report of pytest.
count_pytest() {
    local report suite
    passed=0 failed=0
    [[ -f $1 ]] || return 0
    report=$(<"$1")
    suite=${report#*<testsuite }
    suite=" ${suite%%>*}"
    failed=$(($(attribute_of "$suite" failures) + $(attribute_of "$suite" errors)))
    passed=$(($(attribute_of "$suite" tests) - failed - $(attribute_of "$suite" skipped)))
    # If a test fails and its teardown has an error, pytest counts the test twice.
    ((passed >= 0)) || passed=0
}

attribute_of() {
    if [[ $1 =~ \ $2=\"([0-9]+)\" ]]; then
        echo "${BASH_REMATCH[1]}"
    else
        echo 0
    fi
}

# Reads the counts from the last line 'NAME: N passed, N failed' of a check script.
count_checks() {
    local line
    passed=0 failed=0
    while IFS= read -r line; do
        if [[ $line =~ ^[a-z-]+:\ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
            passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]}
        fi
    done <"$1"
}
