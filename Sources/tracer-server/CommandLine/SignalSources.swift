import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Handlers of signals, in place of their default actions.
///
/// `@unchecked Sendable` is safe because the sources are only stored, until the program ends, and never used after the
/// initializer.
final class SignalSources: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Installs the handlers.
    ///
    /// The handlers run on a global queue.
    ///
    /// - Parameter actions: The handlers, by signal number.
    init(_ actions: [Int32: @Sendable () -> Void]) {
        let registered = DispatchGroup()
        sources = actions.map { number, action in
            // Otherwise the default action would still happen.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
            return source
        }
        // Another thread registers the source. A signal that arrives before that would be ignored.
        registered.wait()
    }
}
