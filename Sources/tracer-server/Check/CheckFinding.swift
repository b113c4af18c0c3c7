/// One limit and what was found.
struct CheckFinding: Sendable, Equatable {
    /// What is counted.
    enum Kind: String, Sendable, CaseIterable {
        case overdue
        case orphaned
        case overBudget
        case brokenInvariants
        case crowded
        case growing
        case late
        case live

        /// The option that sets the limit; `nil` for one that is set by type.
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

        /// The limit where the command line has none; `nil` for no limit.
        var usualLimit: Int? {
            switch self {
            case .overdue, .orphaned, .overBudget, .brokenInvariants, .crowded, .growing: 0
            case .late, .live: nil
            }
        }

        /// As a count has it behind the number.
        func words(for count: Int) -> String {
            switch self {
            case .overdue: "overdue"
            case .orphaned: count == 1 ? "orphaned token" : "orphaned tokens"
            case .overBudget: "over budget"
            case .brokenInvariants: count == 1 ? "broken invariant" : "broken invariants"
            case .crowded: count == 1 ? "crowded event" : "crowded events"
            case .growing: count == 1 ? "growing type" : "growing types"
            case .late: "late so far"
            case .live: "live"
            }
        }
    }

    /// What a count is made of.
    struct Detail: Sendable, Equatable {
        /// How many of the count, or how many instances or tokens there are, as the text says.
        let count: Int
        /// The type, the group or the event; `nil` for none.
        let subject: String?
        let text: String
        /// Some of the instances.
        var instances: [Int] = []
        /// What holds them, or what to do.
        var hint: String?
    }

    enum State: String, Sendable {
        case within, over, unknown
    }

    let kind: Kind
    /// The type of a limit by type.
    var type: String?
    /// `nil` for a type that has never been seen: that may be a typing mistake, and must not pass for "none live".
    let count: Int?
    /// How many are fine.
    let limit: Int
    /// How many known leaks there are beside the count.
    var known = 0
    var details: [Detail] = []
    /// What to do next, if anything.
    var advice: String?

    var state: State {
        guard let count else { return .unknown }
        return count > limit ? .over : .within
    }

    /// What is counted, in words.
    var title: String {
        let words = kind.words(for: count ?? 0)
        return type.map { "\(words) \($0)" } ?? words
    }
}
