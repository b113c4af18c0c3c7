# Virtual environments for tests in Python, each with the packages of a requirements.txt.

# prepare_environment FOLDER REQUIREMENTS MODULE…: creates a virtual environment. Keeps an existing environment while
# the requirements are unchanged and the modules can be imported.
prepare_environment() {
    local folder=$1 requirements=$2 python wanted modules
    shift 2
    modules=$(IFS=, && printf '%s' "$*")
    [[ -f $requirements ]] || die "there is no ${requirements#"$root/"}"
    wanted=$(cksum <"$requirements")
    if [[ -f $folder/made-from && $(<"$folder/made-from") == "$wanted" ]] \
        && "$folder/bin/python" -c "import $modules" 2>/dev/null; then
        return
    fi
    find_python
    say "making a virtual environment in ${folder#"$root/"}"
    rm -rf -- "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements" >&2
    # This file is written last, so that an incomplete environment is created again.
    printf '%s\n' "$wanted" >"$folder/made-from"
}

# Sets `python` to a Python that can create virtual environments.
find_python() {
    for python in python3 /usr/bin/python3; do
        ! can_make_venv "$python" || return 0
    done
    install_packages python3-venv
    for python in python3 /usr/bin/python3; do
        ! can_make_venv "$python" || return 0
    done
    die "no python3 here can make a virtual environment (module venv or ensurepip is missing)"
}

can_make_venv() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}
