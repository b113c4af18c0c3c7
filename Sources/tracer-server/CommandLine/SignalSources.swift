import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Actions for signals, in place of what the system does at them.
///
/// `@unchecked Sendable` is safe because the sources are only held, from here to the end of the program.
final class SignalSources: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Has an action run, on a global queue, at each signal from now on.
    ///
    /// - Parameter actions: The actions by the signals' numbers.
    init(_ actions: [Int32: @Sendable () -> Void]) {
        let registered = DispatchGroup()
        sources = actions.map { number, action in
            // The default action would come first.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
            return source
        }
        // A source is registered by another thread; a signal before that would be ignored.
        registered.wait()
    }
}
