import LifetimeTracer
public import RetainPaths

/// The rules of a leak check: which objects and tokens may be left, how long to wait for the others, and how to report
/// a leak.
///
/// The default rules allow nothing to be left one second after the end.
public struct LeakRules: Sendable {
    /// The effect of a leak on the test.
    public enum Severity: Sendable, Hashable {
        /// The test fails.
        case failure
        /// The leak is reported, and the test passes.
        case warning
    }

    /// How many instances of a type may be left.
    public var budgets: LeakBudgets
    /// Types that may have any number of instances left, each without its subclasses.
    public var exemptions: LeakExemptions
    /// Events that may have any number of tokens in force at the end.
    public var exemptEvents: Set<String>
    /// A human-readable reason for the rules; a failure repeats it.
    public var reason: String?
    /// How long to wait for objects and tokens that are not gone yet.
    ///
    /// The wait ends as soon as the rules are met, so only a leak waits for the whole time.
    public var settling: Duration
    /// The effect of a leak on the test.
    public var severity: Severity
    /// The known leaks; `nil` stands for those of the file named by `LIFETIME_TRACER_KNOWN_LEAKS`.
    public var knownLeaks: KnownLeaks?
    /// Whether leaks of any class count, traced or not.
    ///
    /// The heap of the process is searched before and after the code under test. A cycle of objects fails
    /// the test if it came to be in between. Leaks of other tests that run at the same time count as well.
    public var heap: Bool

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - budgets: How many instances of a type may be left: `[Cache.self: 1]`.
    ///   - exemptions: Types that may have any number of instances left: `[Theme.self]`.
    ///   - exemptEvents: Events that may have any number of tokens in force.
    ///   - reason: A human-readable reason for the rules.
    ///   - settling: How long to wait for objects and tokens that are not gone yet.
    ///   - severity: The effect of a leak on the test.
    ///   - knownLeaks: The known leaks; by default those of the file named by `LIFETIME_TRACER_KNOWN_LEAKS`.
    ///   - heap: Whether leaks of any class count, traced or not.
    public init(
        budgets: LeakBudgets = [:], exempting exemptions: LeakExemptions = [], exemptEvents: Set<String> = [],
        because reason: String? = nil, settling: Duration = .seconds(1), severity: Severity = .failure,
        knownLeaks: KnownLeaks? = nil, heap: Bool = false
    ) {
        self.budgets = budgets
        self.exemptions = exemptions
        self.exemptEvents = exemptEvents
        self.reason = reason
        self.settling = settling
        self.severity = severity
        self.knownLeaks = knownLeaks
        self.heap = heap
    }

    /// The known leaks of the rules or, without any, those of the file.
    var effectiveKnownLeaks: KnownLeaks { knownLeaks ?? KnownLeaksFile.leaks }

    /// The reason after a semicolon, and the full stop of the sentence.
    var reasonAtEnd: String { (reason.map { "; \($0)" } ?? "") + "." }
}

/// The most live instances allowed for types: `[Cache.self: 1, Session.self: 2]`.
///
/// A budget covers the type itself, without its subclasses. `@unchecked Sendable` is safe because a class metatype is
/// immutable and valid forever, and only its name is read.
public struct LeakBudgets: @unchecked Sendable, ExpressibleByDictionaryLiteral {
    let counts: [(type: AnyClass, count: Int)]

    /// Creates budgets; traps on a negative budget, which is a mistake in the test.
    public init(dictionaryLiteral elements: (AnyClass, Int)...) {
        for element in elements {
            precondition(element.1 >= 0, "the budget of \(element.0) is \(element.1); use 0 or more")
        }
        counts = elements.map { (type: $0.0, count: $0.1) }
    }

    /// Returns the budgets by the names that a registry uses for the types.
    func byName(in registry: LifetimeRegistry) -> [TypeName: Int] {
        Dictionary(counts.map { (registry.name(of: $0.type), $0.count) }) { _, last in last }
    }
}

/// Types that may have any number of live instances: `[Theme.self, FontCache.self]`.
///
/// An exemption covers the type itself, without its subclasses. `@unchecked Sendable` is safe because a class metatype
/// is immutable and valid forever, and only its name is read.
public struct LeakExemptions: @unchecked Sendable, ExpressibleByArrayLiteral {
    let types: [AnyClass]

    /// Creates exemptions.
    public init(arrayLiteral elements: AnyClass...) {
        types = elements
    }

    /// Returns the names that a registry uses for the types.
    func names(in registry: LifetimeRegistry) -> Set<TypeName> {
        Set(types.map { registry.name(of: $0) })
    }
}
