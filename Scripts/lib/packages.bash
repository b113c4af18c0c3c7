# Installs what the build and the tests need from the system: with apt where there is apt, else by saying what to install.

# Debian's name → the names on Fedora and Arch, as a courtesy.
declare -rA fedora_names=(
    [libmicrohttpd-dev]=libmicrohttpd-devel [libsqlite3-dev]=sqlite-devel [binutils]=binutils
    [python3-venv]=python3 [chromium]=chromium
    [fonts-dejavu-core]='dejavu-sans-fonts dejavu-sans-mono-fonts' [fonts-liberation]=liberation-fonts
)
declare -rA arch_names=(
    [libmicrohttpd-dev]=libmicrohttpd [libsqlite3-dev]=sqlite [binutils]=binutils
    [python3-venv]=python [chromium]=chromium
    [fonts-dejavu-core]=ttf-dejavu [fonts-liberation]=ttf-liberation
)

# Whether the C compiler finds a header of that name.
has_header() {
    local folder
    for folder in /usr/include /usr/local/include /usr/include/*-linux-gnu ${CPATH:+${CPATH//:/ }}; do
        [[ -e $folder/$1 ]] && return 0
    done
    return 1
}

# Installs packages by their Debian names, or says how to and ends the script.
install_packages() {
    local -a as_root=()
    local -a install=(apt-get install -y --no-install-recommends "$@")
    if ! command -v apt-get >/dev/null; then
        local name fedora='' arch=''
        for name in "$@"; do
            fedora+=" ${fedora_names[$name]:-$name}"
            arch+=" ${arch_names[$name]:-$name}"
        done
        die "there is no apt-get here; install what Debian calls: $*"$'\n'"  Fedora:  sudo dnf install$fedora"$'\n'"  Arch:    sudo pacman -S$arch"
    fi
    if ((EUID != 0)); then
        # Without a terminal sudo could not ask for a password and would only fail later and darker.
        if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            die "these packages are missing: $*. Run this as root, then start again:"$'\n'"  apt-get update && ${install[*]}"
        fi
    fi
    say "installing $*"
    # A third-party source that does not answer must not be in the way of Debian's own.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 update >&2 \
        || say "'apt-get update' had errors; going on"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "${install[@]:1}" >&2 \
        || die "could not install. The command was:"$'\n'"  apt-get update && ${install[*]}"
}

# The headers of the libraries that the server and the demo link.
require_libraries() {
    local -a missing=()
    has_header microhttpd.h || missing+=(libmicrohttpd-dev)
    has_header sqlite3.h || missing+=(libsqlite3-dev)
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}
