# Runs a command on a machine that has no microhttpd.h, as far as that command can see.
#
# In a mount namespace of its own each include folder that holds the header is covered by an empty one, into which
# everything but the header is mounted again. Nobody outside the namespace sees a change, and it goes with the command.

readonly hidden_header=microhttpd.h

# Covers one include folder. For use inside the namespace only.
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

# Covers all of them, then becomes the command. For use inside the namespace only.
run_with_header_covered() {
    local folder
    # The original folders are mounted below this one, which only this namespace sees.
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

# Why the namespace cannot be had here; empty when it can.
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
