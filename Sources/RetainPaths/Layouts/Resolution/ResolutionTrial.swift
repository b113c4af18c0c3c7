import CRetainPaths
import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A trial of work on types in throwaway processes, which finds the names and items that the work must avoid.
///
/// The runtime aborts or loops at names that it cannot build, and metadata may turn out to be other data. Such a
/// failure ends only the throwaway process. That process has one thread and inherits the locks that other threads held
/// when it was made. Therefore a trial that blocks on a lock is repeated before the name is refused.
struct ResolutionTrial {
    /// The result of a trial.
    enum Outcome {
        /// A throwaway process completed all work.
        case complete
        /// The process cannot be copied, or has too little memory left for a trial.
        case unavailable(SystemError)
        /// The last of the allowed throwaway processes still found something to refuse.
        ///
        /// It came to item `reached`.
        case exhausted(reached: Int)
    }

    /// Compiling hundreds of types rarely needs more than one throwaway process.
    ///
    /// Each refused name or item costs another one.
    private static let copyLimit = 256
    /// The processor time for one name.
    ///
    /// A name normally takes microseconds, and a first search for conformances milliseconds.
    private static let secondsForName = 1.0
    private static let secondsForCopy = 30.0
    private static let memoryLimit: UInt64 = 1 << 29
    /// The memory that must be available.
    ///
    /// A trial of hundreds of types uses a fraction of it.
    private static let neededMemory = 16 << 20

    let resolver: TypeResolver
    /// Excludes an item from the work.
    let refuse: (_ item: Int) -> Void
    /// Looks up the type name in the symbol at an address.
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

    /// Runs the work, which calls ``TrialJournal/setItem(_:)``.
    ///
    /// All changes that it makes are lost with the throwaway process.
    mutating func run(_ work: (TrialJournal) -> Void) -> Outcome {
        var reached = 0
        for _ in 0..<Self.copyLimit {
            // A throwaway process that runs out of memory would look as if a name had crashed it.
            guard ProcessLimits.hasRoom(for: Self.neededMemory) else { return .unavailable(SystemError(ENOMEM)) }
            guard let memory = rp_make_trial() else { return .unavailable(.last) }
            defer { rp_free_trial(memory) }
            let journal = TrialJournal(memory)
            let process = rp_clone_for_trial(Self.memoryLimit)
            if process == 0 {
                resolver.mode = .trial(journal)
                work(journal)
                journal.finish()
                rp_end_trial()
            }
            guard process > 0 else { return .unavailable(.last) }
            copies += 1
            let end = rp_await_trial(process, memory, Self.secondsForName, Self.secondsForCopy)
            reached = journal.isDone ? .max : journal.item
            if learn(from: journal, end) { return .complete }
        }
        return .exhausted(reached: reached)
    }

    /// Records the results of a throwaway process.
    ///
    /// - Returns: Whether nothing is left to try.
    private mutating func learn(from journal: TrialJournal, _ end: rp_trial_end) -> Bool {
        var isComplete = journal.isDone && !journal.isFull
        var isBlamed = false
        for entry in journal.entries {
            if entry.isSymbol {
                resolver.setSymbolicName(lookUp(entry.key.address), at: entry.key.address)
                // The name from the symbol must be tried next.
                isComplete = false
            } else if entry.isEnded {
                resolver.screening.accept(entry.key)
            } else {
                isBlamed = true
                if end == RP_TRIAL_BLOCKED {
                    _ = resolver.screening.block(entry.key)
                } else {
                    resolver.screening.refuse(entry.key)
                }
            }
        }
        if !journal.isDone, !isBlamed { blame(journal.item, end) }
        return isComplete
    }

    private mutating func blame(_ item: Int, _ end: rp_trial_end) {
        if end == RP_TRIAL_BLOCKED {
            blockedItems[item, default: 0] += 1
            if blockedItems[item, default: 0] <= NameScreening.blocksAllowed { return }
        }
        refuse(item)
    }
}
