/// The course of one subject's generations, and whether the subject is growing.
///
/// Windows of 1, 4 and 16 minutes find leaks from many instances a minute to a few an hour. Pure: the caller passes
/// the counts once a minute. Once said, growth is withdrawn after ``patience`` counts without evidence, or at once if
/// half of the mature instances die; then only later births can show growth again.
struct GrowthTrack: LockedState, Equatable {
    /// The lengths of the windows in minutes, each a multiple of the one before.
    static let windowLengths = [1, 4, 16]
    /// The number of counts without evidence after which growth is withdrawn.
    static let patience = 3

    /// The size of a track in memory, in bytes, without live instances' ages.
    static let bytes =
        windowLengths.count * Generations.windowCount
        * (Generations.maturities.count * 2 * MemoryLayout<UInt32>.stride + MemoryLayout<Int>.stride)

    /// What a count has changed.
    enum Change: Sendable, Equatable {
        /// The subject is growing now.
        case began(Generations.Run)
        /// The subject is no longer growing.
        case ended
    }

    /// The run that shows the growth; `nil` if the subject is not growing.
    private(set) var run: Generations.Run?
    /// The minute at which the subject was called growing.
    private(set) var since: Int?
    /// The minute at which the oldest window of the run began.
    private(set) var evidenceSince: Int?
    /// The live instances of the last count.
    private(set) var live = 0

    private var generations = windowLengths.map(Generations.init(windowMinutes:))
    /// Whether each length of window has evidence for the growth to go on.
    private var goesOn = [Bool](repeating: false, count: windowLengths.count)
    private var countsWithoutEvidence = 0
    /// Only births from this minute on show growth.
    private var evidenceFrom: Int
    private var lastMinute: Int?
    /// The longest time in minutes in which instances gathered before most of them died together.
    private var knownGathering = 0
    private var gatheringSince: Int

    /// - Parameter minute: The minute of the first count.
    init(from minute: Int) {
        evidenceFrom = minute - AgeCounts.minutes
        gatheringSince = minute
    }

    /// Whether the subject is growing.
    var isGrowing: Bool { run != nil }

    /// Takes the counts at the end of a minute.
    ///
    /// - Parameter minute: The number of minutes that have ended; it rises by one from call to call. If it rises by
    ///   more, counts are missing, and only later births show growth.
    mutating func count(_ ages: AgeCounts, at minute: Int) -> Change? {
        if let lastMinute, minute != lastMinute + 1 { restart(at: minute) }
        lastMinute = minute
        live = ages.total
        for index in generations.indices where minute % Self.windowLengths[index] == 0 {
            generations[index].endWindow(ages)
        }
        noteGathering(at: minute)
        return run == nil ? begin(at: minute) : goOn(at: minute)
    }

    private mutating func begin(at minute: Int) -> Change? {
        for (generations, length) in zip(generations, Self.windowLengths) where minute % length == 0 {
            // Instances that once gathered for long before they died together may do so again.
            let gathering = min(knownGathering, Int(Generations.expectedMinutes))
            let least = max(Generations.leastRun, (gathering * 3 / 2 + length - 1) / length)
            let found = generations.growingRun(.begin, least: least, limit: (minute - evidenceFrom) / length)
            guard let found else { continue }
            note(found, at: minute)
            since = minute
            countsWithoutEvidence = 0
            goesOn = Self.windowLengths.map { $0 == length }
            return .began(found)
        }
        return nil
    }

    private mutating func goOn(at minute: Int) -> Change? {
        for (index, length) in Self.windowLengths.enumerated() where minute % length == 0 {
            let found = generations[index].growingRun(.stay)
            goesOn[index] = found != nil
            if let found, found.windowMinutes == run?.windowMinutes { note(found, at: minute) }
        }
        countsWithoutEvidence = goesOn.contains(true) ? 0 : countsWithoutEvidence + 1
        guard countsWithoutEvidence >= Self.patience || hasCollapsed(at: minute) else { return nil }
        run = nil
        since = nil
        evidenceSince = nil
        evidenceFrom = minute
        return .ended
    }

    private mutating func note(_ found: Generations.Run, at minute: Int) {
        run = found
        evidenceSince = max(0, minute - found.windowsUntilNow * found.windowMinutes)
    }

    private func hasCollapsed(at minute: Int) -> Bool {
        guard let run, minute % run.windowMinutes == 0,
            let generations = generations.first(where: { $0.windowMinutes == run.windowMinutes })
        else { return false }
        return generations.hasCollapsed(maturity: run.maturity)
    }

    private mutating func noteGathering(at minute: Int) {
        let settled = Generations.maturities.indices.dropFirst(2)
        guard settled.contains(where: { generations[0].hasCollapsed(maturity: $0) }) else { return }
        knownGathering = max(knownGathering, minute - gatheringSince)
        gatheringSince = minute
    }

    private mutating func restart(at minute: Int) {
        for index in generations.indices { generations[index].restart() }
        evidenceFrom = minute
    }
}
