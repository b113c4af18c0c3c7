import Glibc
import LifetimeTracer

// The server is linked and never mentioned.
final class Session: TracedObject {}

let session = Session()
withExtendedLifetime(session) {
    print("running")
    fflush(nil)
    while readLine() != nil {}
}
