import Glibc
import LifetimeTracer

/// Searches for the holder of an object while system resources are scarce, and prints the outcomes.
///
/// Prints a line for each search, then a line on leftovers, then `alive`. The line of a search begins with `right`,
/// `refused:` or `wrong:`. With `--heap`, each search is a capture of the heap that must find a leak.
///
///     retain-limits [LIMIT=NUMBER …] [--leave-memory MB] [--leave-descriptors N] [--leave-threads N] [--squeeze]
///         [--server] [--heap] [--once]
///
/// Limits in megabytes: `as`, `data`; in kilobytes: `stack`; as a number: `nofile`. The program sets them and restarts
/// itself.
@main struct RetainLimitsProgram {
    static func main() {
        do {
            let options = try LimitOptions(Array(CommandLine.arguments.dropFirst()))
            if !options.limits.isEmpty { try options.startAnew() }
            run(options)
        } catch {
            say("error: \(error)")
            exit(2)
        }
    }

    private static func run(_ options: LimitOptions) {
        if options.leftThreads != nil { Privilege.drop() }
        let held = Held.plant()
        if options.capturesHeap { Circle.plant() }
        let question: Question = options.capturesHeap ? .heap : .holder(of: held)
        if options.isServer {
            ServerQuestion.ask(about: held, options)
        } else if options.squeezes {
            askWhileMemoryIsShort(question)
        } else {
            askUnder(options, question)
        }
        if !options.asksOnce { Leftovers.check { say(question.ask()) } }
        say("alive")
    }

    /// Searches while a resource is nearly used up, and again when the resource is available.
    private static func askUnder(_ options: LimitOptions, _ question: Question) {
        let shortage = Shortage(options)
        say(question.ask())
        guard shortage.isAny else { return }
        shortage.end()
        say("afterwards")
        say(question.ask())
    }

    private static func askWhileMemoryIsShort(_ question: Question) {
        let squeeze = Squeeze()
        for _ in 0..<30 { say(question.ask()) }
        squeeze.end()
    }
}

/// The object of the searches, which a static variable holds once.
final class Held: TracedObject, LockedState, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the class has no mutable state of its own.

    static let shared = Locked<Held?>(nil)

    /// Creates the object so that only the static variable holds it, and no variable of a caller does.
    @inline(never)
    static func plant() -> InstanceID {
        let held = Held()
        shared.withLock { $0 = held }
        return held.lifetimeID
    }
}

/// The object of the captures, which nobody holds but itself.
final class Circle: LockedState, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only `plant()` changes the object.

    /// Without a variable through which the object passes, an optimised build would not allocate it.
    private static let last = Locked<Circle?>(nil)

    private var own: Circle?

    /// Creates the object so that no variable of a caller holds it.
    @inline(never)
    static func plant() {
        let circle = Circle()
        circle.own = circle
        last.withLock { $0 = circle }
        last.removeAndRelease { $0.take() }
    }
}

/// Writes a line without buffering.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
