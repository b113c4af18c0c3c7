import Glibc
import LifetimeTracer

/// Asks who holds an object of its own while the system grants it little, and tells what came of it.
///
/// Prints a line for each question, then what was left behind, then `alive`. A line begins with `right`, `refused:` or `wrong:`.
///
///     retain-limits [LIMIT=NUMBER …] [--leave-memory MB] [--leave-descriptors N] [--leave-threads N] [--squeeze] [--server] [--once]
///
/// Limits, in megabytes: `as`, `data`; in kilobytes: `stack`; as a number: `nofile`. The program sets them and starts itself anew.
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
        if options.isServer {
            ServerQuestion.ask(about: held, options)
        } else if options.squeezes {
            askWhileMemoryIsShort(held)
        } else {
            askUnder(options, held)
        }
        if !options.asksOnce { Leftovers.check { say(Question.ask(about: held)) } }
        say("alive")
    }

    /// Asks while nearly all is used up, and again when it is there.
    private static func askUnder(_ options: LimitOptions, _ held: InstanceID) {
        let shortage = Shortage(options)
        say(Question.ask(about: held))
        guard shortage.isAny else { return }
        shortage.end()
        say("afterwards")
        say(Question.ask(about: held))
    }

    private static func askWhileMemoryIsShort(_ held: InstanceID) {
        let squeeze = Squeeze()
        for _ in 0..<30 { say(Question.ask(about: held)) }
        squeeze.end()
    }
}

/// What is asked about: a static variable holds it, once.
final class Held: TracedObject, LockedState, @unchecked Sendable {
    // Unchecked, as it has no state of its own.

    static let shared = Locked<Held?>(nil)

    /// Makes one that nothing else holds, no variable of a caller either.
    @inline(never)
    static func plant() -> InstanceID {
        let held = Held()
        shared.withLock { $0 = held }
        return held.lifetimeID
    }
}

/// Writes a line at once.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
