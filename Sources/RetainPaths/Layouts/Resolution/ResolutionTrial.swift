import CRetainPaths
import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Runs work on types in copies of the process until it comes to its end, and learns which names and items do not let it.
///
/// The runtime ends the process, or loops, for names that it cannot build, and metadata may turn out to be none. In a copy that costs
/// nothing but the copy. It has one thread, and inherits the locks that other threads held at that moment: so one that is
/// stuck behind a lock is tried again before the name is blamed.
struct ResolutionTrial {
    /// How it ended.
    enum Outcome {
        /// All was done.
        case complete
        /// The process cannot be copied, or has too little memory left to try anything in a copy.
        case unavailable(error: CInt)
        /// There was still something to blame after so many copies; the last one came to this item.
        case exhausted(reached: Int)
    }

    /// A compile of hundreds of types seldom needs more than one; each name or item that is refused costs another.
    private static let copyLimit = 256
    /// Of processor time for one name: those that come to an end take microseconds, a first search for conformances milliseconds.
    private static let secondsForName = 1.0
    private static let secondsForCopy = 30.0
    private static let memoryLimit: UInt64 = 1 << 29
    /// A trial of hundreds of types takes a fraction of it.
    private static let neededMemory = 16 << 20

    let resolver: TypeResolver
    /// What is done with an item that must not be worked on.
    let refuse: (_ item: Int) -> Void
    /// Finds the name that a symbol tells.
    let lookUp: (_ address: UInt) -> MangledName?

    private(set) var copies = 0
    private var blockedItems: [Int: Int] = [:]

    init(
        resolver: TypeResolver, refuse: @escaping (Int) -> Void, lookUp: @escaping (UInt) -> MangledName?
    ) {
        self.resolver = resolver
        self.refuse = refuse
        self.lookUp = lookUp
    }

    /// Runs the work, which calls ``TrialJournal/setItem(_:)``; whatever it changes is lost with the copy.
    mutating func run(_ work: (TrialJournal) -> Void) -> Outcome {
        var reached = 0
        for _ in 0..<Self.copyLimit {
            // A copy that runs out of memory ends like one that tries what the runtime does not survive.
            guard ProcessLimits.hasRoom(for: Self.neededMemory) else { return .unavailable(error: ENOMEM) }
            guard let memory = rp_make_trial() else { return .unavailable(error: errno) }
            defer { rp_free_trial(memory) }
            let journal = TrialJournal(memory)
            let process = rp_clone_for_trial(Self.memoryLimit)
            if process == 0 {
                resolver.mode = .trial(journal)
                work(journal)
                journal.finish()
                rp_end_trial()
            }
            guard process > 0 else { return .unavailable(error: errno) }
            copies += 1
            let end = rp_await_trial(process, memory, Self.secondsForName, Self.secondsForCopy)
            reached = journal.isDone ? .max : journal.item
            if learn(from: journal, end) { return .complete }
        }
        return .exhausted(reached: reached)
    }

    /// Takes over what a copy found out.
    ///
    /// - Returns: Whether nothing is left to be tried.
    private mutating func learn(from journal: TrialJournal, _ end: rp_trial_end) -> Bool {
        var isComplete = journal.isDone && !journal.isFull
        var isBlamed = false
        for entry in journal.entries {
            if entry.isSymbol {
                resolver.setSymbolicName(lookUp(entry.key.address), at: entry.key.address)
                // With the name there is more to try.
                isComplete = false
            } else if entry.isEnded {
                resolver.verdicts.accept(entry.key)
            } else {
                isBlamed = true
                if end == RP_TRIAL_BLOCKED {
                    _ = resolver.verdicts.block(entry.key)
                } else {
                    resolver.verdicts.refuse(entry.key)
                }
            }
        }
        if !journal.isDone, !isBlamed { blame(journal.item, end) }
        return isComplete
    }

    private mutating func blame(_ item: Int, _ end: rp_trial_end) {
        if end == RP_TRIAL_BLOCKED {
            blockedItems[item, default: 0] += 1
            if blockedItems[item, default: 0] <= NameVerdicts.blocksAllowed { return }
        }
        refuse(item)
    }
}
