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
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { exit(4) }
            source.resume()
            return source
        }
        print("waiting")
        fflush(nil)
        withExtendedLifetime(sources) { dispatchMain() }
    }
}
