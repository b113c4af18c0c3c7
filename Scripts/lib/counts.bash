# How many tests the runners passed and failed, from what they write themselves.
#
# Each function sets `passed` and `failed`, which its caller declares.

# Swift Testing's report. A test with arguments is one test; one that is switched off counts neither way.
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

# XCTest's closing lines of single tests in the output of `swift test`.
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

# A report of pytest's in the JUnit form.
count_pytest() {
    local report suite
    passed=0 failed=0
    [[ -f $1 ]] || return 0
    report=$(<"$1")
    suite=${report#*<testsuite }
    suite=" ${suite%%>*}"
    failed=$(($(attribute_of "$suite" failures) + $(attribute_of "$suite" errors)))
    passed=$(($(attribute_of "$suite" tests) - failed - $(attribute_of "$suite" skipped)))
    # A test whose end has an error besides its own failure is counted twice by pytest.
    ((passed >= 0)) || passed=0
}

attribute_of() {
    if [[ $1 =~ \ $2=\"([0-9]+)\" ]]; then
        echo "${BASH_REMATCH[1]}"
    else
        echo 0
    fi
}

# The closing line 'NAME: N passed, N failed' of one of the check scripts.
count_checks() {
    local line
    passed=0 failed=0
    while IFS= read -r line; do
        if [[ $line =~ ^[a-z-]+:\ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
            passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]}
        fi
    done <"$1"
}
