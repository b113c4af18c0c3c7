// With an address as its argument the example serves there instead of at the default address.
if CommandLine.arguments.count > 1 {
    try serve(at: CommandLine.arguments[1])
}

// What stands between the two marks is the README's block, line by line; hence the import down here.
// swift-format-ignore: OrderedImports
// README embedding: begin
import LifetimeTracerServer

let server = TracerServer()
try server.start()
// README embedding: end

runUntilInputEnds(beside: server)
