# Prints figures in the form that `benchmarks report` reads.

# exact_figure WORKLOAD CONTENDER BASE UNIT VALUE: prints a line of the figures for a value without spread.
exact_figure() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t1\n' "$1" "$2" "$3" "$4" "$5" "$5" "$5"
}

gap() {
    printf '! %s: %s\n' "$1" "$2"
}

# quotient A B: prints A / B with four decimal places.
quotient() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f", a / b }'
}

# milliseconds_of COMMAND…: prints the duration of the command in milliseconds.
milliseconds_of() {
    local started=${EPOCHREALTIME//[!0-9]/}
    "$@" >/dev/null 2>&1 || die "this failed: $*"
    quotient $((${EPOCHREALTIME//[!0-9]/} - started)) 1000
}

# print_spreads WORKLOAD UNIT BASE FILE: turns the file's lines 'ROUND CONTENDER VALUE' into figures: the values of each
# contender, and their ratios to the value of the contender BASE in the same round. With an empty BASE, without ratios.
print_spreads() {
    awk -v workload="$1" -v unit="$2" -v base="$3" '
        function print_spread(name, of, unit, values, count,    i, j, held) {
            for (i = 2; i <= count; i++) {
                held = values[i]
                for (j = i - 1; j >= 1 && values[j] > held; j--) values[j + 1] = values[j]
                values[j + 1] = held
            }
            printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", workload, name, of, unit, values[int((count + 1) / 2)], \
                values[1], values[count], count
        }
        {
            value[$2, $1] = $3
            if (!($2 in seen)) { seen[$2] = 1; names[++n] = $2 }
            if ($1 + 1 > rounds) rounds = $1 + 1
        }
        END {
            for (k = 1; k <= n; k++) {
                for (r = 0; r < rounds; r++) {
                    values[r + 1] = value[names[k], r]
                    if (base != "") ratios[r + 1] = values[r + 1] / value[base, r]
                }
                print_spread(names[k], "-", unit, values, rounds)
                if (base != "" && names[k] != base) print_spread(names[k], base, "x", ratios, rounds)
            }
        }' "$4"
}
