/// The outcomes of resolving names, in the program or in a trial.
struct NameScreening {
    /// A name, and the identity of its generic context's arguments.
    struct Key: Hashable {
        let address: UInt
        let arguments: UInt64
    }

    enum Outcome {
        /// The runtime has an answer, possibly that the type does not exist.
        case answers
        /// The name crashed or hung a throwaway process.
        ///
        /// It is refused for good.
        case refused
    }

    private var outcomes: [Key: Outcome] = [:]
    /// The number of trials that blocked at a name, on a lock that another thread may have held by chance.
    private var blocked: [Key: Int] = [:]
    static let blocksAllowed = 2

    subscript(key: Key) -> Outcome? { outcomes[key] }

    mutating func accept(_ key: Key) {
        if outcomes[key] == nil { outcomes[key] = .answers }
    }

    mutating func refuse(_ key: Key) {
        outcomes[key] = .refused
    }

    /// Records that a trial blocked at a name, and refuses the name if that has happened too often.
    ///
    /// - Returns: Whether the name is refused now.
    mutating func block(_ key: Key) -> Bool {
        blocked[key, default: 0] += 1
        guard blocked[key, default: 0] > Self.blocksAllowed else { return false }
        refuse(key)
        return true
    }

    /// The number of refused names.
    var refusedCount: Int { outcomes.values.reduce(0) { $0 + ($1 == .refused ? 1 : 0) } }
}
