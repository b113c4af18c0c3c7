/// The result of comparing one count with its limit.
struct CheckFinding: Sendable, Equatable {
    /// The kind of a count.
    enum Kind: String, Sendable, CaseIterable {
        case overdue
        case orphaned
        case overBudget
        case brokenInvariants
        case crowded
        case growing
        case late
        case live

        /// The option that sets the limit; `nil` for the limit by type.
        var option: String? {
            switch self {
            case .overdue: "--max-overdue"
            case .orphaned: "--max-orphaned"
            case .overBudget: "--max-over-budget"
            case .brokenInvariants: "--max-broken"
            case .crowded: "--max-crowded"
            case .growing: "--max-growing"
            case .late: "--max-late"
            case .live: nil
            }
        }

        /// The default limit; `nil` for no limit.
        var usualLimit: Int? {
            switch self {
            case .overdue, .orphaned, .overBudget, .brokenInvariants, .crowded, .growing: 0
            case .late, .live: nil
            }
        }

        /// Returns the words that follow the number in a text.
        func words(for count: Int) -> String {
            switch self {
            case .overdue: "overdue"
            case .orphaned: count == 1 ? "orphaned token" : "orphaned tokens"
            case .overBudget: "over budget"
            case .brokenInvariants: count == 1 ? "broken invariant" : "broken invariants"
            case .crowded: count == 1 ? "crowded event" : "crowded events"
            case .growing: "growing"
            case .late: "late so far"
            case .live: "live"
            }
        }
    }

    /// A part of a count, such as one group of instances.
    struct Detail: Sendable, Equatable {
        /// The part's share of the count, or a number of instances or tokens; the text says which.
        let count: Int
        /// The type, the group or the event; `nil` if the part has none.
        let subject: String?
        let text: String
        /// The ids of some of the instances.
        var instances: [Int] = []
        /// A hint on the retain path: the remedy, or else the signature of the path.
        var hint: String?
    }

    enum State: String, Sendable {
        case within, over, unknown
    }

    let kind: Kind
    /// The type of a limit by type.
    var type: String?
    /// The count; `nil` for a type that has never been seen.
    ///
    /// That may be a typo, and must not pass for "none live".
    let count: Int?
    /// The highest permitted count.
    let limit: Int
    /// The number of known leaks, which the count excludes.
    var known = 0
    var details: [Detail] = []
    /// The next step for the user, if any.
    var advice: String?

    var state: State {
        guard let count else { return .unknown }
        return count > limit ? .over : .within
    }

    /// The name of the count, in words.
    var title: String {
        let words = kind.words(for: count ?? 0)
        return type.map { "\(words) \($0)" } ?? words
    }
}
