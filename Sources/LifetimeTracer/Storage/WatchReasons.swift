import CLifetimeRuntime

/// Why the death of an instance must be reported: the tables of its registry that may contain the instance.
///
/// The record of the instance has a flag for each reason, so that its death looks only into these tables.
struct WatchReasons: OptionSet, Sendable {
    let rawValue: UInt64

    /// The instance has a deadline.
    static let deadline = Self(rawValue: LT_HAS_DEADLINE)
    /// The instance has an annotation, or is the parent of one that has.
    static let annotation = Self(rawValue: LT_HAS_ANNOTATION)
    /// The instance owns tokens.
    static let token = Self(rawValue: LT_OWNS_TOKEN)
    /// An action runs at the death of the instance.
    static let action = Self(rawValue: LT_HAS_ACTION)

    static let all = Self(rawValue: LT_WATCHED)
}
