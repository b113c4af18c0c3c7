import Glibc
import VolumeRounds

/// Runs one kind of rounds and prints how much memory the rounds left behind.
///
/// Usage: `volume --list`, or `volume NAME [ROUNDS]`. The exit code is 0 if the rounds succeeded, 1 if a round failed,
/// and 2 for an invalid command line.
@main @MainActor struct VolumeProgram {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if words == ["--list"] {
            for kind in allRounds { print(kind.name) }
            return
        }
        guard let kind = (allRounds + controlRounds).first(where: { $0.name == words.first }),
            let rounds = words.count == 1 ? kind.count.number : words.dropFirst().first.flatMap({ Int($0) }),
            words.count <= 2, rounds >= 100
        else { end(2, "usage: volume --list | NAME [ROUNDS, from 100]") }
        do {
            try measure(kind, rounds)
        } catch {
            end(1, "error: \(error)")
        }
    }

    private static func measure(_ kind: any Rounds.Type, _ rounds: Int) throws {
        // Runs first, so that memory of the first rounds is not attributed to the control.
        try kind.init().run(warmUp(rounds))
        let control = try kind.control.map { try growth(of: $0, rounds) } ?? 0
        print("control \(control + kind.libraryCaches)")
        let holder = SmallStack.Holder(try kind.init())
        // Fills caches, grows tables and starts threads.
        try run(holder, warmUp(rounds))
        _ = Memory.now()
        let before = Memory.now()
        try run(holder, rounds)
        let after = Memory.now()
        print("rounds \(rounds)")
        print("allocated \(before.allocated) \(after.allocated)")
        if let first = before.resident, let last = after.resident { print("resident \(first) \(last)") }
        // The figures must be written even if the release overflows the stack.
        fflush(nil)
        SmallStack.letGo(holder, stackSize: stackSize)
    }

    /// The number of bytes that rounds leave behind.
    private static func growth(of kind: any Rounds.Type, _ rounds: Int) throws -> Int {
        let object = try kind.init()
        try object.run(warmUp(rounds))
        let before = Memory.now()
        try object.run(rounds)
        return Memory.now().allocated - before.allocated
    }

    /// The number of rounds for warming up: a thread keeps two batches of 8,192 records.
    private static func warmUp(_ rounds: Int) -> Int {
        max(rounds / 10, min(rounds, 20_000))
    }

    /// A separate function, so that no reference on the stack holds the object afterwards.
    private static func run(_ holder: SmallStack.Holder, _ rounds: Int) throws {
        guard let object = holder.object as? any Rounds else { preconditionFailure("no object") }
        try object.run(rounds)
    }

    /// The size of a deliberately small stack.
    ///
    /// Sanitizers need more stack for each call.
    private static let stackSize = Memory.isOfSanitizer ? 512 << 10 : 64 << 10

    private static func end(_ code: Int32, _ message: String) -> Never {
        let line = Array((message + "\n").utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code)
    }
}
