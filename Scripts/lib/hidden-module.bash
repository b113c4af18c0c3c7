# Runs a command with one module of the tool chain hidden from it.
#
# The command runs in its own mount namespace, where an empty folder covers the module's folder. Processes outside the
# namespace see no change. The namespace ends with the command.

# find_module_folder NAME: sets `module_folder` to the folder of a module of the tool chain.
find_module_folder() {
    local info
    info=$(swift -print-target-info) || return 1
    [[ $info =~ \"runtimeResourcePath\":\ *\"([^\"]+)\" ]] || return 1
    module_folder=${BASH_REMATCH[1]}/linux/$1.swiftmodule
    [[ -d $module_folder ]]
}

# without_module NAME COMMAND…: runs the command in the namespace.
without_module() {
    local module_folder
    find_module_folder "$1" || return 1
    shift
    # shellcheck disable=SC2016  # the inner shell expands these
    unshare --mount --propagation private \
        bash -c 'set -euo pipefail; mount -t tmpfs tmpfs "$0"; exec "$@"' "$module_folder" "$@"
}

# Prints why this machine does not allow such a namespace, or nothing if it does.
obstacle_to_hiding_modules() {
    local module_folder complaint
    if ((EUID != 0)); then
        echo "it takes root to hide a module"
    elif ! command -v unshare >/dev/null; then
        echo "there is no 'unshare' here (util-linux)"
    elif ! find_module_folder XCTest; then
        echo "the tool chain's module XCTest was not found"
    # shellcheck disable=SC2016  # the inner shell expands this
    elif ! complaint=$(without_module XCTest bash -c '[[ -z $(ls -A "$0") ]]' "$module_folder" 2>&1); then
        echo "this machine does not allow a mount namespace (${complaint:-the module is still in sight})"
    fi
}
