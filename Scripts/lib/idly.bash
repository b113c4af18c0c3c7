# Runs commands on processors that are otherwise idle.

# The prefix of such a command. The package manager resets the nice value of the processes that it starts, but not the
# kernel's idle scheduling class, which some containers refuse.
# shellcheck disable=SC2034  # Used by the scripts.
idly=(nice -n 19)
! chrt --idle 0 true 2>/dev/null || idly=(chrt --idle 0)

# no_longer_idly GROUP: gives the processes of a process group the usual share of the processors. Other programs, which
# can keep all processors busy forever, would otherwise leave them none.
no_longer_idly() {
    local group=$1 file stat process fields search found=yes
    # A process that was started during a search may have inherited the class, so the last search must find none. The
    # number of searches is limited, because a process that just ends may keep its class.
    for ((search = 0; search < 20; search++)); do
        [[ $found == yes ]] || return 0
        found=no
        for file in /proc/[0-9]*/stat; do
            # The process may have ended. If a file cannot be opened, `$(<file)` would end the script, in spite of `||`.
            { read -r stat <"$file"; } 2>/dev/null || continue
            process=${stat%% *}
            # The name of the program, in parentheses, may contain spaces. Afterwards, the third field is the process
            # group, and the 39th is the scheduling class; 5 is the idle one (proc(5)).
            read -r -a fields <<<"${stat##*) }"
            if [[ ${fields[2]} == "$group" && ${fields[38]} == 5 ]]; then
                found=yes
                chrt --all-tasks --other --pid 0 "$process" 2>/dev/null || true
            fi
        done
    done
}
