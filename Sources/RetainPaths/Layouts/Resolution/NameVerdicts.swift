/// What is known of names that the runtime was asked for, or would be.
struct NameVerdicts {
    /// A name with the arguments of its generic context.
    struct Key: Hashable {
        let address: UInt
        let arguments: UInt64
    }

    enum Verdict {
        /// The runtime has an answer, be it that there is no such type.
        case answers
        /// It ended the process or did not come to an end. For good.
        case refused
    }

    private var verdicts: [Key: Verdict] = [:]
    /// How often a trial was stuck at a name, behind a lock that another thread may just have held.
    private var blocked: [Key: Int] = [:]
    static let blocksAllowed = 2

    subscript(key: Key) -> Verdict? { verdicts[key] }

    mutating func accept(_ key: Key) {
        if verdicts[key] == nil { verdicts[key] = .answers }
    }

    mutating func refuse(_ key: Key) {
        verdicts[key] = .refused
    }

    /// Notes that a trial was stuck at a name, and refuses it if that has been so too often.
    ///
    /// - Returns: Whether it is refused now.
    mutating func block(_ key: Key) -> Bool {
        blocked[key, default: 0] += 1
        guard blocked[key, default: 0] > Self.blocksAllowed else { return false }
        refuse(key)
        return true
    }

    /// How many names are refused.
    var refusedCount: Int { verdicts.values.reduce(0) { $0 + ($1 == .refused ? 1 : 0) } }
}
