# Programs that serve: starting one, waiting for what it says, asking it over HTTP, ending it by closing its input.
#
# One program at a time. What it prints is in the files $served_output and $served_errors.

readonly longest_wait_in_tenths=100

# start_serving FOLDER COMMAND…: starts a program whose standard input stays open until end_serving.
start_serving() {
    local folder=$1
    shift
    served_output=$folder/output
    served_errors=$folder/errors
    rm -f -- "$folder/input"
    mkfifo -- "$folder/input"
    # Emptied here and not by the program's start: what the one before said must not be read as this one's words.
    : >"$served_output"
    : >"$served_errors"
    # A program that does not end when its input does is ended by force, so a check can never hang.
    timeout --kill-after=5 60 "$@" <"$folder/input" >"$served_output" 2>"$served_errors" &
    served_process=$!
    exec {served_input}>"$folder/input"
}

# Whether a line of a file matches within ten seconds; BASH_REMATCH then holds the match.
awaits() {
    local file=$1 pattern=$2 tenths line
    for ((tenths = 0; tenths < longest_wait_in_tenths; tenths++)); do
        while IFS= read -r line || [[ -n $line ]]; do
            [[ $line =~ $pattern ]] && return 0
        done <"$file"
        kill -0 "$served_process" 2>/dev/null || break
        pause
    done
    show_served
    return 1
}

# A tenth of a second between two looks.
pause() {
    sleep 0.1
}

# Whether GET TARGET at a port of the loopback address is answered with 200 within ten seconds.
#
# It may first be answered with another status: a server is not healthy before its self-test is over.
answers_200() {
    local port=$1 target=$2 tenths connection status=''
    for ((tenths = 0; tenths < longest_wait_in_tenths; tenths++)); do
        if { exec {connection}<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null; then
            # By cat, so in one piece; bash itself would write line by line, and a server that answers early and closes
            # would end the script by SIGPIPE.
            cat <<<"GET $target HTTP/1.1"$'\r\n'"Host: 127.0.0.1:$port"$'\r\n''Connection: close'$'\r\n\r' \
                >&"$connection" || true
            IFS= read -r -t 5 status <&"$connection" || true
            exec {connection}>&-
            [[ $status == 'HTTP/1.1 200 '* ]] && return 0
        fi
        kill -0 "$served_process" 2>/dev/null || break
        pause
    done
    printf '            GET %s at port %s was last answered: %s\n' "$target" "$port" "${status:-not at all}"
    show_served
    return 1
}

# Whether nobody listens at a port of the loopback address.
is_free() {
    ! { exec {connection}<>"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null || {
        exec {connection}>&-
        return 1
    }
}

# Closes the program's input and waits; succeeds when it ended with 0.
end_serving() {
    local status=0
    exec {served_input}>&-
    wait "$served_process" || status=$?
    served_process=''
    ((status == 0)) || {
        printf '            it ended with %d\n' "$status"
        show_served
        return 1
    }
}

show_served() {
    local line
    while IFS= read -r line; do
        printf '            | %s\n' "$line"
    done < <(cat -- "$served_output" "$served_errors")
}
