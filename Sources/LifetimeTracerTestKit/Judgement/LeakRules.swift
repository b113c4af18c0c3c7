import LifetimeTracer
public import RetainPaths

/// What may be left behind, for how long, and what is said when more is.
///
/// Without anything: nothing may be left, a second after the end at the latest.
public struct LeakRules: Sendable {
    /// What a leak means.
    public enum Severity: Sendable, Hashable {
        /// The test fails.
        case failure
        /// The leak is reported, and the test passes.
        case warning
    }

    /// How many instances of types may be left.
    public var budgets: LeakBudgets
    /// Types of which any number may be left, each without its subclasses.
    public var exemptions: LeakExemptions
    /// Events of which any number of tokens may be in force at the end.
    public var exemptEvents: Set<String>
    /// Why nothing more may be left, or why that much may, in words for people; a failure repeats it.
    public var reason: String?
    /// How long to wait for what has not gone yet.
    ///
    /// The wait ends as soon as nothing too much is left, so only a leak pays for it.
    public var settling: Duration
    /// What a leak means.
    public var severity: Severity
    /// The leaks that are known; those of the file that `LIFETIME_TRACER_KNOWN_LEAKS` names where this is `nil`.
    public var knownLeaks: KnownLeaks?

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - budgets: How many instances of types may be left: `[Cache.self: 1]`.
    ///   - exemptions: Types of which any number may be left: `[Theme.self]`.
    ///   - exemptEvents: Events of which any number of tokens may be in force.
    ///   - reason: Why, in words for people.
    ///   - settling: How long to wait for what has not gone yet.
    ///   - severity: What a leak means.
    ///   - knownLeaks: The leaks that are known; by default those of the file that `LIFETIME_TRACER_KNOWN_LEAKS` names.
    public init(
        budgets: LeakBudgets = [:], exempting exemptions: LeakExemptions = [], exemptEvents: Set<String> = [],
        because reason: String? = nil, settling: Duration = .seconds(1), severity: Severity = .failure,
        knownLeaks: KnownLeaks? = nil
    ) {
        self.budgets = budgets
        self.exemptions = exemptions
        self.exemptEvents = exemptEvents
        self.reason = reason
        self.settling = settling
        self.severity = severity
        self.knownLeaks = knownLeaks
    }
}

/// How many live instances of types are fine: `[Cache.self: 1, Session.self: 2]`.
///
/// A type stands for itself, without its subclasses. `@unchecked Sendable` is safe because a class's metatype is immutable and
/// valid for ever, and nothing but its name is read.
public struct LeakBudgets: @unchecked Sendable, ExpressibleByDictionaryLiteral {
    let counts: [(type: AnyClass, count: Int)]

    /// Creates budgets; traps for a negative one, which is a mistake in the test.
    public init(dictionaryLiteral elements: (AnyClass, Int)...) {
        for element in elements { precondition(element.1 >= 0, "the budget of \(element.0) is \(element.1)") }
        counts = elements.map { (type: $0.0, count: $0.1) }
    }

    /// The budgets by the names that a registry has for the types.
    func byName(in registry: LifetimeRegistry) -> [TypeName: Int] {
        Dictionary(counts.map { (registry.name(of: $0.type), $0.count) }) { _, last in last }
    }
}

/// Types of which any number of instances may live on: `[Theme.self, FontCache.self]`.
///
/// A type stands for itself, without its subclasses. `@unchecked Sendable` is safe because a class's metatype is immutable and
/// valid for ever, and nothing but its name is read.
public struct LeakExemptions: @unchecked Sendable, ExpressibleByArrayLiteral {
    let types: [AnyClass]

    /// Creates exemptions.
    public init(arrayLiteral elements: AnyClass...) {
        types = elements
    }

    /// The names that a registry has for the types.
    func names(in registry: LifetimeRegistry) -> Set<TypeName> {
        Set(types.map { registry.name(of: $0) })
    }
}
