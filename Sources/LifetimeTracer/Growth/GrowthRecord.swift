import TracerBase

/// A subject that is growing: from nearly every recent minute, instances or tokens are left.
public struct GrowthRecord: Sendable {
    /// What is growing.
    public enum Subject: LockedState, Hashable {
        /// The instances of a type, without its subclasses.
        case type(TypeName)
        /// The tokens in force for an event and an owner type.
        case tokens(event: String, ownerType: TypeName?)
        /// All instances together, while no single type is growing.
        case process
    }

    /// What is growing.
    public let subject: Subject
    /// The evidence in words: `instances from 14 of the last 14 minutes are still alive; 40 a minute more`.
    public let reason: String
    /// A sentence: the subject and the evidence.
    public let message: String
    /// How many instances or tokens each minute leaves behind, on average.
    public let perMinute: Double
    /// The number of live instances or of tokens in force at the last count.
    public let live: Int
    /// The site that created most of the live instances, or registered most of the tokens; `nil` if no site is known.
    public let site: SourceSite?
    /// The beginning of the windows of time that are the evidence.
    public let evidenceSince: MonotonicTime
    /// When the verdict was reached.
    public let since: MonotonicTime
    /// The identifier of the growth, the same in every run.
    public let fingerprint: Fingerprint

    init(
        _ subject: Subject, _ run: Generations.Run, live: Int, site: SourceSite?, evidenceSince: MonotonicTime,
        since: MonotonicTime
    ) {
        self.subject = subject
        self.live = live
        self.site = site
        self.evidenceSince = evidenceSince
        self.since = since
        perMinute = run.perMinute
        reason = subject.evidence(run)
        message = "\(subject.name) grow\(subject.isPlural ? "" : "s"): \(reason)"
        fingerprint = Fingerprint(kind: .growing, type: subject.type, reason: subject.identity)
    }
}

extension GrowthRecord.Subject {
    /// The type, or the owner type of the tokens.
    package var type: TypeName? {
        switch self {
        case .type(let type): type
        case .tokens(_, let owner): owner
        case .process: nil
        }
    }

    /// The event of the tokens.
    package var event: String? {
        if case .tokens(let event, _) = self { event } else { nil }
    }

    /// The name of the subject in a sentence.
    package var name: String {
        switch self {
        case .type(let type): type.name
        case .tokens(let event, let owner): "tokens for \(event)" + (owner.map { " of \($0.name)" } ?? "")
        case .process: "the whole process"
        }
    }

    fileprivate var isPlural: Bool { event != nil }

    /// The subject apart from its type, for the fingerprint, which must not contain the numbers of the evidence.
    fileprivate var identity: String {
        switch self {
        case .type: "growing"
        case .tokens(let event, _): "growing tokens for \(event)"
        case .process: "the whole process is growing"
        }
    }

    fileprivate func evidence(_ run: Generations.Run) -> String {
        let (noun, state) = isPlural ? ("tokens", "still in force") : ("instances", "still alive")
        let windows = run.windowMinutes == 1 ? "minutes" : "spans of \(run.windowMinutes) minutes"
        let rate =
            run.perMinute >= 1
            ? "\(Int(run.perMinute.rounded()).grouped) a minute more"
            : "\(max(1, Int((run.perMinute * 60).rounded()))) an hour more"
        return "\(noun) from \(run.windowsWithSurvivors) of the last \(run.windowsUntilNow) \(windows) are \(state); "
            + rate
    }
}

extension Verdict {
    static func growing(_ growth: GrowthRecord) -> Self {
        Self(
            .growing, at: growth.since, type: growth.subject.type, event: growth.subject.event, site: growth.site,
            reason: growth.reason, message: growth.message, fingerprint: growth.fingerprint)
    }
}
