# Runs a command with the header microhttpd.h hidden from it.
#
# The command runs in its own mount namespace. There, an empty folder covers each include folder that contains the
# header, and everything except the header is mounted into it again. Processes outside the namespace see no change. The
# namespace ends with the command.

readonly hidden_header=microhttpd.h

# Covers one include folder. Call this function only inside the namespace.
cover_include_folder() {
    local folder=$1 original entry name
    original=$(mktemp -d)
    mount --bind "$folder" "$original"
    mount -t tmpfs tmpfs "$folder"
    for entry in "$original"/*; do
        name=${entry##*/}
        if [[ $name == "$hidden_header" ]]; then
            continue
        elif [[ -L $entry ]]; then
            cp -P -- "$entry" "$folder/$name"
        elif [[ -d $entry ]]; then
            mkdir -- "$folder/$name"
            mount --bind "$entry" "$folder/$name"
        else
            : >"$folder/$name"
            mount --bind "$entry" "$folder/$name"
        fi
    done
}

# run_with_header_covered MOUNT-POINT COMMAND…: covers all include folders with the header, then executes the command.
# Call this function only inside the namespace.
run_with_header_covered() {
    local folder
    # `cover_include_folder` mounts the original folders below this folder, which only this namespace sees.
    mount -t tmpfs tmpfs "$1"
    export TMPDIR=$1
    shift
    for folder in /usr/include /usr/local/include /usr/include/*-linux-gnu; do
        [[ ! -e $folder/$hidden_header ]] || cover_include_folder "$folder"
    done
    unset TMPDIR
    exec "$@"
}

# without_header MOUNT-POINT COMMAND…: runs the command in the namespace; the mount point is an empty folder.
without_header() {
    local here
    here=$(readlink -f -- "${BASH_SOURCE[0]}")
    # shellcheck disable=SC2016  # the inner shell expands these
    unshare --mount --propagation private \
        bash -c 'set -euo pipefail; source "$0"; run_with_header_covered "$@"' "$here" "$@"
}

# obstacle_to_hiding MOUNT-POINT: prints why this machine does not allow such a namespace, or nothing if it does.
obstacle_to_hiding() {
    local complaint
    if ((EUID != 0)); then
        echo "it takes root to hide a header"
    elif ! command -v unshare >/dev/null; then
        echo "there is no 'unshare' here (util-linux)"
    elif ! complaint=$(without_header "$1" test ! -e "/usr/include/$hidden_header" 2>&1); then
        echo "this machine does not allow a mount namespace (${complaint:-the header is still in sight})"
    fi
}
