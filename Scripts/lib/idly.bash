# Runs a command on processors that are otherwise idle.

# The prefix of such a command. The package manager resets the nice value of the processes that it starts, but not the
# kernel's idle scheduling class, which some containers refuse.
# shellcheck disable=SC2034  # Used by the scripts.
idly=(nice -n 19)
! chrt --idle 0 true 2>/dev/null || idly=(chrt --idle 0)
