# Installs the system packages that the build and the tests need. Without apt, prints the packages to install.

# The names of Debian's packages on Fedora and Arch.
declare -rA fedora_names=(
    [libmicrohttpd-dev]=libmicrohttpd-devel [libsqlite3-dev]=sqlite-devel [binutils]=binutils
    [libcurl4-openssl-dev]=libcurl-devel [libxml2-dev]=libxml2-devel
    [python3-venv]=python3 [chromium]=chromium [prometheus]=golang-github-prometheus
    [fonts-dejavu-core]='dejavu-sans-fonts dejavu-sans-mono-fonts' [fonts-liberation]=liberation-fonts
)
declare -rA arch_names=(
    [libmicrohttpd-dev]=libmicrohttpd [libsqlite3-dev]=sqlite [binutils]=binutils
    [libcurl4-openssl-dev]=curl [libxml2-dev]=libxml2
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

# Installs packages by their Debian names, or prints how to install them and ends the script.
install_packages() {
    local -a as_root=()
    local -a install=(apt-get install -y --no-install-recommends "$@")
    if ! command -v apt-get >/dev/null; then
        local name fedora='' arch=''
        for name in "$@"; do
            fedora+=" ${fedora_names[$name]:-$name}"
            arch+=" ${arch_names[$name]:-$name}"
        done
        die "there is no apt-get here; install what Debian calls: $*"$'\n'"  Fedora:  sudo dnf install$fedora"$'\n'\
"  Arch:    sudo pacman -S$arch"
    fi
    if ((EUID != 0)); then
        # Without a terminal, sudo cannot prompt for a password and would fail later with a less clear message.
        if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            die "these packages are missing: $*. Run this as root, then start again:"$'\n'\
"  apt-get update && ${install[*]}"
        fi
    fi
    say "installing $*"
    # An unreachable third-party source must not prevent the installation from Debian's sources.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 update >&2 \
        || say "'apt-get update' had errors; going on"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "${install[@]:1}" >&2 \
        || die "could not install. The command was:"$'\n'"  apt-get update && ${install[*]}"
}

# Installs the libraries that a program with Swift's libraries in it links because of Foundation, if they are missing.
require_static_libraries() {
    local -a missing=()
    has_header curl/curl.h || missing+=(libcurl4-openssl-dev)
    has_header libxml2/libxml/parser.h || missing+=(libxml2-dev)
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# Installs the headers of the libraries that the server and the demo link, if they are missing.
require_libraries() {
    local -a missing=()
    has_header microhttpd.h || missing+=(libmicrohttpd-dev)
    has_header sqlite3.h || missing+=(libsqlite3-dev)
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}
