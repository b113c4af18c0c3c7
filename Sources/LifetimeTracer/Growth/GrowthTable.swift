/// The growth of each type, of the tokens of each event and owner type, and of the whole process.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``. Counts are taken at the end of each minute of
/// the registry's clock, while growth is judged.
struct GrowthTable: LockedState {
    /// The most types, and the most events with owner types, that are judged.
    static let limit = 1000

    /// The counts of a subject at the end of a minute.
    typealias Counts = [GrowthRecord.Subject: AgeCounts]

    /// The end of the next minute; `nil` while growth is not judged.
    private(set) var nextCount: MonotonicTime?
    /// The number of subjects that were not judged for lack of room, each counted once per minute.
    private(set) var dropped: Int = 0
    /// The subjects that are growing; the process only if nothing else is.
    private(set) var growing: [GrowthRecord] = []

    private var tracks: [GrowthRecord.Subject: GrowthTrack] = [:]
    /// Whether the verdict on the process has been filed.
    private var isProcessReported = false
    private let start: MonotonicTime

    /// - Parameter start: The time from which minutes are counted.
    init(start: MonotonicTime) {
        self.start = start
    }

    /// The number of subjects with a track, for the estimate of memory.
    var count: Int { tracks.count }

    /// Starts to judge growth.
    ///
    /// - Returns: The end of the next minute; `nil` if growth is judged already.
    mutating func begin(at now: MonotonicTime) -> MonotonicTime? {
        guard nextCount == nil else { return nil }
        nextCount = end(ofMinute: minutes(at: now) + 1)
        return nextCount
    }

    /// The number of minutes that have ended.
    func minutes(at now: MonotonicTime) -> Int {
        Int((now - start).components.seconds / 60)
    }

    /// Takes the counts at the end of a minute, and returns the verdicts on subjects that are growing from now on.
    ///
    /// - Parameters:
    ///   - sites: The site of most instances or tokens of a subject.
    ///   - expected: The types that are not reported, because their growth is expected.
    ///   - omitted: The number of subjects that could not be counted.
    mutating func count(
        _ counts: Counts, sites: [GrowthRecord.Subject: SourceSite] = [:], expected: Set<TypeName> = [], omitted: Int,
        at now: MonotonicTime
    ) -> [Verdict] {
        let minute = minutes(at: now)
        nextCount = end(ofMinute: minute + 1)
        dropped += omitted
        var began: Set<GrowthRecord.Subject> = []
        // The known subjects come first, so that those without instances can make room.
        let known = Array(tracks.keys)
        let new = counts.keys.filter { tracks[$0] == nil }
        for (position, subject) in (known + new).enumerated() {
            guard position < known.count || hasRoom() else {
                dropped += 1
                continue
            }
            let change = tracks[subject, default: GrowthTrack(from: minute)].count(
                counts[subject] ?? AgeCounts(), at: minute)
            if case .began = change { began.insert(subject) }
        }
        noteProcess(at: minute, &began)
        growing = records(sites, except: expected)
        return growing.filter { began.contains($0.subject) }.map(Verdict.growing)
    }

    /// A single growing type also makes the process grow, and often later than the process.
    private mutating func noteProcess(at minute: Int, _ began: inout Set<GrowthRecord.Subject>) {
        began.remove(.process)
        guard let since = tracks[.process]?.since else {
            isProcessReported = false
            return
        }
        guard !isProcessReported, minute - since >= 2, growsAsAWhole else { return }
        isProcessReported = true
        began.insert(.process)
    }

    private var growsAsAWhole: Bool {
        tracks.allSatisfy { $0.key == .process || !$0.value.isGrowing }
    }

    private func records(
        _ sites: [GrowthRecord.Subject: SourceSite], except expected: Set<TypeName>
    ) -> [GrowthRecord] {
        let hidesProcess = !isProcessReported || !growsAsAWhole
        return tracks.compactMap { subject, track in
            guard let run = track.run, let since = track.since, let evidenceSince = track.evidenceSince,
                subject != .process || !hidesProcess
            else { return nil }
            if case .type(let type) = subject, expected.contains(type) { return nil }
            return GrowthRecord(
                subject, run, live: track.live, site: sites[subject],
                evidenceSince: end(ofMinute: evidenceSince), since: end(ofMinute: since))
        }
        .sorted { ($1.perMinute, $0.message) < ($0.perMinute, $1.message) }
    }

    /// Makes room for a subject, if need be by giving up subjects without live instances.
    private mutating func hasRoom() -> Bool {
        // Types and tokens have the same limit; one more is the process.
        let limit = 2 * Self.limit + 1
        if tracks.count < limit { return true }
        tracks = tracks.filter { $0.key == .process || $0.value.live > 0 || $0.value.isGrowing }
        return tracks.count < limit
    }

    private func end(ofMinute minute: Int) -> MonotonicTime {
        start + .seconds(60 * minute)
    }
}
