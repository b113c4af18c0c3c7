/// Counts the tokens in force by event and owner type, and compares the counts with thresholds.
///
/// Has no lock of its own: it is part of ``TokenTable``. The table holds only groups of tokens in force, so the limits
/// on token groups bound it.
struct CrowdTable: Sendable {
    /// A group of tokens that are counted together, whatever their kind.
    struct Key: Sendable, Hashable {
        let event: String
        let ownerType: TypeName?
    }

    /// A crowd that has just exceeded its threshold.
    struct Passed: Sendable {
        let key: Key
        let inForce: Int
    }

    private struct ThresholdKey: Sendable, Hashable {
        let event: String
        /// The owner type; `nil` for each owner type of the event.
        let ownerType: String?
    }

    /// The crowds that exceed their thresholds.
    private(set) var crowded: Set<Key> = []

    private var inForce: [Key: Int] = [:]
    private var thresholds: [ThresholdKey: Int] = [:]
    private let defaultThreshold: Int?

    init(defaultThreshold: Int?) {
        self.defaultThreshold = defaultThreshold
    }

    /// Counts a token.
    ///
    /// - Returns: The crowd, if this token has made it exceed its threshold.
    mutating func add(_ key: Key) -> Passed? {
        inForce[key, default: 0] += 1
        return look(at: key)
    }

    mutating func remove(_ key: Key) {
        guard let count = inForce[key] else { return }
        inForce[key] = count == 1 ? nil : count - 1
        _ = look(at: key)
    }

    /// Sets or removes a threshold.
    ///
    /// - Returns: The crowds that exceed the new threshold.
    mutating func setThreshold(_ threshold: Int?, event: String, ownerType: String?) -> [Passed] {
        thresholds[ThresholdKey(event: event, ownerType: ownerType)] = threshold
        return inForce.keys.filter { $0.event == event }.compactMap { look(at: $0) }
    }

    private mutating func look(at key: Key) -> Passed? {
        let count = inForce[key] ?? 0
        guard let threshold = threshold(of: key), count > threshold else {
            crowded.remove(key)
            return nil
        }
        return crowded.insert(key).inserted ? Passed(key: key, inForce: count) : nil
    }

    private func threshold(of key: Key) -> Int? {
        thresholds[ThresholdKey(event: key.event, ownerType: key.ownerType?.qualified)]
            ?? thresholds[ThresholdKey(event: key.event, ownerType: nil)] ?? defaultThreshold
    }
}
