# The browser tests: a Chromium, a virtual environment with the packages of requirements.txt, and pytest.
# Needs python-environment.bash.

readonly browser_tests=$root/Tests/Browser
readonly venv=$root/.build/venv
readonly headless_shell=chromium-headless-shell

# Whether the program is a browser that starts. (Ubuntu's /usr/bin/chromium-browser does not start without its snap.)
is_browser() {
    [[ -x $1 ]] && timeout 20 "$1" --version >/dev/null 2>&1
}

# Exports CHROMIUM, the path of an installed browser; installs Chromium if no browser is installed.
find_browser() {
    if [[ -n ${CHROMIUM-} ]]; then
        is_browser "$CHROMIUM" || die "CHROMIUM names no browser that starts: $CHROMIUM"
        return
    fi
    ! use_installed_browser || return 0
    if apt_offers_chromium; then
        install_packages chromium
        CHROMIUM=$(command -v chromium) || die "the package chromium holds no program of that name"
        export CHROMIUM
    elif command -v apt-get >/dev/null; then
        # Ubuntu has Chromium only as a snap. Playwright installs its own browser instead.
        say "no chromium from apt; Playwright installs its own"
        export PLAYWRIGHT_BROWSERS_PATH=$root/.build/browsers
        "$venv/bin/python" -m playwright install --with-deps chromium >&2 \
            || die "no Chromium could be installed; install one and name it in the environment as CHROMIUM"
        CHROMIUM=$("$venv/bin/python" -c '
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)')
        export CHROMIUM
    else
        install_packages chromium
    fi
}

# Exports CHROMIUM, the path of the browser for the tests: the headless shell if it is installed, else another installed
# browser. If no browser is installed on Debian, installs the headless shell. The shell draws pages like Chromium, but
# has no windows around them, so the tests take much less CPU time.
find_test_browser() {
    if [[ -z ${CHROMIUM-} ]] && ! use_installed_browser "$headless_shell" && [[ $(os_id) == debian ]]; then
        # `install_packages` ends its shell if it fails. An old Debian has no such package.
        if (install_packages "$headless_shell"); then
            use_installed_browser "$headless_shell" || true
        else
            say "apt cannot install $headless_shell; Chromium runs the tests instead"
        fi
    fi
    find_browser
}

# use_installed_browser [NAME…]: exports CHROMIUM, the path of an installed browser, these names first; fails if no
# browser is installed.
use_installed_browser() {
    local name path
    for name in "$@" chromium chromium-browser google-chrome google-chrome-stable; do
        path=$(command -v "$name") || continue
        if is_browser "$path"; then
            export CHROMIUM=$path
            return
        fi
    done
    return 1
}

# Installs the fonts of Tests/Browser/fonts.py that are missing. The tests render the page with these fonts only.
find_fonts() {
    local -a missing=()
    has_font DejaVuSans.ttf || missing+=(fonts-dejavu-core)
    has_font LiberationSans-Regular.ttf || missing+=(fonts-liberation)
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

has_font() {
    [[ -n $(find /usr/share/fonts /usr/local/share/fonts ~/.local/share/fonts -name "$1" -print -quit 2>/dev/null) ]]
}

# Whether apt offers a Chromium package that contains the browser; Ubuntu's package is empty and needs a snap.
apt_offers_chromium() {
    command -v apt-get >/dev/null && [[ $(os_id) != ubuntu ]]
}

# Prints the name of the Linux distribution: debian, ubuntu.
os_id() {
    (. /etc/os-release && printf '%s' "${ID-}") 2>/dev/null || true
}

# Installs everything that the browser tests need.
prepare_browser_tests() {
    prepare_environment "$venv" "$browser_tests/requirements.txt" pytest playwright
    find_test_browser
    find_fonts
}

# run_browser_tests PROGRAM: runs the tests against a built tracer-server and leaves no cache in the source tree. Uses
# four workers, because they mostly wait for pages.
run_browser_tests() {
    local report=$results/browser.xml status=0 passed failed
    prepare_browser_tests
    rm -f -- "$report"
    (
        cd "$root"
        TRACER_SERVER=$1 PYTHONDONTWRITEBYTECODE=1 \
            "$venv/bin/python" -m pytest Tests/Browser --numprocesses 4 --dist worksteal --durations 15 \
            --junitxml "$report"
    ) || status=$?
    count_pytest "$report"
    count "$passed" "$failed"
    if ((passed + failed == 0)); then
        say "no browser test was run"
        status=1
    fi
    return "$status"
}
