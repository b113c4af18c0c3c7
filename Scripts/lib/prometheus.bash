# Finds Prometheus and promtool, or takes them out of Debian's package.
#
# The package is unpacked into the build folder and not installed. Its installation would start a Prometheus as a
# service, and would need root.

# Sets `prometheus` and `promtool` to the paths of the programs.
require_prometheus() {
    local unpacked=$root/.build/prometheus
    if prometheus=$(command -v prometheus) && promtool=$(command -v promtool); then
        return
    fi
    prometheus=$unpacked/usr/bin/prometheus
    promtool=$unpacked/usr/bin/promtool
    if [[ -x $prometheus && -x $promtool ]]; then
        return
    fi
    # Without apt, this prints what to install.
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || install_packages prometheus
    say "unpacking Debian's prometheus into ${unpacked#"$root/"}"
    unpack_prometheus "$unpacked"
}

# unpack_prometheus FOLDER: downloads the package and unpacks it into the folder.
unpack_prometheus() {
    # The folder gets its name last, so that an incomplete one is unpacked again.
    local folder=$1.incomplete
    rm -rf -- "$1" "$folder"
    mkdir -p -- "$folder"
    download_prometheus "$folder" 2>/dev/null || {
        update_package_lists
        download_prometheus "$folder" >&2 || die "could not download Debian's package prometheus"
    }
    dpkg-deb --extract "$folder"/prometheus_*.deb "$folder" || die "could not unpack Debian's package prometheus"
    rm -f -- "$folder"/prometheus_*.deb
    mv -- "$folder" "$1"
}

download_prometheus() {
    (cd "$1" && apt-get -qq download prometheus)
}

# Without root and without sudo, the lists stay as they are.
update_package_lists() {
    local -a as_root=()
    ((EUID == 0)) || as_root=(sudo -n)
    "${as_root[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update >&2 || say "'apt-get update' had errors; going on"
}
