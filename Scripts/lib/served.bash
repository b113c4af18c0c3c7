# Starts a server program, waits for its output, sends it HTTP requests, and ends it by closing its standard input.
#
# Only one program runs at a time. Its output is in the files $served_output and $served_errors.

readonly longest_wait_in_tenths=100

# start_serving FOLDER COMMAND…: starts a program whose standard input stays open until end_serving.
start_serving() {
    local folder=$1
    shift
    served_output=$folder/output
    served_errors=$folder/errors
    rm -f -- "$folder/input"
    mkfifo -- "$folder/input"
    # The files are emptied before the program starts, so that the output of the previous program cannot be mistaken for
    # the output of this one.
    : >"$served_output"
    : >"$served_errors"
    # `timeout` kills a program that does not end when its input is closed, so a check cannot hang.
    timeout --kill-after=5 60 "$@" <"$folder/input" >"$served_output" 2>"$served_errors" &
    served_process=$!
    exec {served_input}>"$folder/input"
}

# awaits FILE PATTERN: waits up to ten seconds for a line that matches; BASH_REMATCH then holds the match.
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

# Waits a tenth of a second before the next poll.
pause() {
    sleep 0.1
}

# answers_200 PORT TARGET: polls with GET at the loopback address until the status is 200; fails after about 10 s of
# pauses.
#
# Other statuses may come first: a server is not healthy before its self-test is over.
answers_200() {
    local port=$1 target=$2 tenths connection status=''
    for ((tenths = 0; tenths < longest_wait_in_tenths; tenths++)); do
        if { exec {connection}<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null; then
            # cat writes the request at once. The builtin printf writes line by line; if the server responded early and
            # closed the connection, SIGPIPE would end the script.
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

# is_free PORT: whether no process listens on a port of the loopback address.
is_free() {
    ! { exec {connection}<>"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null || {
        exec {connection}>&-
        return 1
    }
}

# Closes the program's input and waits for its end; succeeds if its exit code is 0.
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
