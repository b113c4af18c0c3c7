import Glibc
import LifetimeTracer
import LifetimeTracerServer

/// Something to look at on the page.
final class Session: TracedObject {}

/// Starts the server at an address of the caller's choice and stays.
func serve(at address: String) throws -> Never {
    let server = TracerServer(address: address)
    try server.start()
    runUntilInputEnds(beside: server)
}

/// Keeps a traced object alive until standard input is closed, then stops the server and ends the program.
func runUntilInputEnds(beside server: TracerServer) -> Never {
    let session = Session()
    withExtendedLifetime(session) {
        print("serving at \(server.url ?? "no address")")
        // Whoever reads through a pipe waits for that line.
        fflush(nil)
        while readLine() != nil {}
    }
    server.stop()
    exit(0)
}
