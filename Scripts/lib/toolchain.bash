# Finds the Swift tool chain.

readonly oldest_swift_major=6 oldest_swift_minor=2

# Ends the script with instructions unless PATH has a Swift that is new enough.
require_swift() {
    local answer
    if ! command -v swift >/dev/null; then
        die "there is no 'swift' on PATH. Install the Swift 6.3 tool chain from https://www.swift.org/install/linux/" \
            "and put its usr/bin folder on PATH."
    fi
    if ! answer=$(swift --version 2>&1); then
        die "'swift --version' failed ($(command -v swift)): ${answer##*$'\n'}"
    fi
    if [[ ! $answer =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]]; then
        die "'swift --version' answers without a version ($(command -v swift)): ${answer%%$'\n'*}"
    fi
    local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
    if ((major < oldest_swift_major || (major == oldest_swift_major && minor < oldest_swift_minor))); then
        die "Swift $major.$minor at $(command -v swift) is too old:" \
            "$oldest_swift_major.$oldest_swift_minor is the oldest that works." \
            "Install Swift 6.3 from https://www.swift.org/install/linux/ and put it first on PATH."
    fi
}
