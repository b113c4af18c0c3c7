# Runs a command with a tool chain that has no module of some name, as far as that command can see.
#
# In a mount namespace of its own the module's folder is covered by an empty one. Nobody outside the namespace sees a change, and
# it goes with the command.

# Sets `module_folder` to the folder of a module of the tool chain.
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

# Why the namespace cannot be had here; empty when it can.
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
