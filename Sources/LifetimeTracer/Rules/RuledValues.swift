/// Values by key, which the program's code sets and rules can replace.
struct RuledValues<Key: Hashable & Sendable, Value: Hashable & Sendable>: Sendable {
    /// The value of each key that has one: that of a rule, else that of the code.
    private(set) var inForce: [Key: Value] = [:]

    private var ofCode: [Key: Value] = [:]
    private var ofRules: [Key: RegistryRules.Statement<Value>] = [:]

    /// Whether a rule decides on a key.
    func isRuled(_ key: Key) -> Bool { ofRules[key] != nil }

    /// Sets or removes the value of the code.
    ///
    /// - Returns: Whether the value in force has changed.
    @discardableResult
    mutating func set(_ value: Value?, for key: Key) -> Bool {
        ofCode[key] = value
        return update(key)
    }

    /// Sets the value of a rule, which can also be that there is none.
    ///
    /// - Returns: Whether the value in force has changed.
    @discardableResult
    mutating func setRule(_ statement: RegistryRules.Statement<Value>, for key: Key) -> Bool {
        ofRules[key] = statement
        return update(key)
    }

    /// Puts the values of the code in force.
    ///
    /// - Returns: The keys whose values in force have changed.
    @discardableResult
    mutating func removeRules() -> [Key] {
        let keys = ofRules.keys
        ofRules = [:]
        return keys.filter { update($0) }
    }

    private mutating func update(_ key: Key) -> Bool {
        let value = ofRules[key].map(\.value) ?? ofCode[key]
        defer { inForce[key] = value }
        return inForce[key] != value
    }
}
