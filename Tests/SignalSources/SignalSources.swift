// A program without the library that ends as servers do: a source of Dispatch calls `exit` after SIGINT or SIGTERM.

import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@main enum SignalSources {
    static func main() {
        let registered = DispatchGroup()
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { exit(4) }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            return source
        }
        // A signal before the registration is ignored.
        registered.notify(queue: .main) {
            print("waiting")
            fflush(nil)
        }
        withExtendedLifetime(sources) { dispatchMain() }
    }
}
