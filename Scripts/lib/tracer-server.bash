# Builds the command and the agent. Needs say.bash, toolchain.bash and packages.bash.

# build_tracer_server [OPTION…]: builds tracer-server and the agent beside it, and sets `program` to the path of the
# former. The options go to `swift build`.
build_tracer_server() {
    local product
    require_libraries
    say "building tracer-server and the agent"
    for product in tracer-server TracerAgent; do
        swift build --package-path "$root" "$@" --product "$product" >&2
    done
    program=$(swift build --package-path "$root" "$@" --show-bin-path)/tracer-server
}
