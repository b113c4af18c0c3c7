# A build folder that several checks share, so that none compiles again what another has compiled.
#
# The checks build other packages and targets than `swift build` does, so they cannot use the package's own build folder
# while tests run. The modules of this package are compiled in the same way in each of these builds.

# shellcheck disable=SC2034  # Used by the scripts.
readonly shared_builds=$root/.build/checks

# forget_target NAME: makes the next build compile this target again. A build with a hidden header or module needs this
# before and after: its result must not come from another build, and another build must not use its result.
forget_target() {
    rm -rf -- "$shared_builds"/*/debug/"$1.build" "$shared_builds"/*/debug/Modules/"$1".*
}
