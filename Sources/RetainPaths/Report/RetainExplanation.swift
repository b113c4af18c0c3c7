public import LifetimeTracer

/// Who holds one instance.
public struct RetainExplanation: Sendable {
    /// What the search found out.
    public enum Status: String, Sendable, CaseIterable {
        /// A chain of strong references leads from a root to it.
        case reachable
        /// It holds itself, through a cycle that no root reaches.
        case cycle
        /// A cycle that no root reaches holds it, without being held by it.
        case leakedByCycle
        /// No holder that could explain it was found: it was retained too often, or a running thread holds it.
        case noRootFound
        /// It is not alive any more, or its deinit is running.
        case gone
    }

    /// The instance.
    public let instance: InstanceID
    /// Its type as Swift prints it, with the module.
    public let typeName: String
    /// What the search found out.
    public let status: Status
    /// Its strong reference count.
    public let strongReferences: Int
    /// How many strong references to it were found in memory; the answer is complete when it equals
    /// ``strongReferences``.
    public let explainedReferences: Int
    /// The way from the root to the instance, or round the cycle; empty when there is none.
    public let path: [RetainStep]
    /// Where in ``path`` the cycle begins and ends, if there is one: the step at the upper bound holds the one at the
    /// lower.
    public let cycle: ClosedRange<Int>?
    /// The direct holders that were found, at most 16.
    public let holders: [RetainHolder]
    /// The other instance of the same question through which alone this one is held; it goes when that one goes.
    public let culprit: InstanceID?
    /// The step of ``path`` whose reference should be given up, most likely.
    public let suspect: Int?
    /// What to do, in words, where the pattern is known.
    public let hint: RetainHint?
    /// The same for the same leak in every run: types and property names of the suspect part of the path.
    public let fingerprint: Fingerprint?
    /// The path in types, properties and closures, without indices, keys and addresses.
    ///
    /// What a pattern of known leaks is compared with. Empty when there is no path.
    ///
    /// `static Hub.shared → Hub.subs.1 → closure in DetailScreen.bind() → DetailScreen`
    public let signature: String
    /// Why this leak is not to be reported, if it is known.
    public let known: KnownLeak?
    /// The known leak that this one was until its date passed.
    public let expired: KnownLeak?

    /// The type without its module.
    public var shortTypeName: String { ShortTypeName.of(typeName) }

    /// Creates an explanation from its parts.
    init(
        instance: InstanceID, typeName: String, status: Status, strongReferences: Int = 0, explainedReferences: Int = 0,
        path: [RetainStep] = [], cycle: ClosedRange<Int>? = nil, holders: [RetainHolder] = [],
        culprit: InstanceID? = nil,
        suspect: Int? = nil, hint: RetainHint? = nil, fingerprint: Fingerprint? = nil, signature: String = "",
        known: KnownLeak? = nil, expired: KnownLeak? = nil
    ) {
        self.instance = instance
        self.typeName = typeName
        self.status = status
        self.strongReferences = strongReferences
        self.explainedReferences = explainedReferences
        self.path = path
        self.cycle = cycle
        self.holders = holders
        self.culprit = culprit
        self.suspect = suspect
        self.hint = hint
        self.fingerprint = fingerprint
        self.signature = signature
        self.known = known
        self.expired = expired
    }
}

/// One node of a path, and how it holds the next.
public struct RetainStep: Sendable, Hashable {
    /// What the node is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A global or static variable.
        case global
        /// A variable of a thread.
        case threadLocal
        /// The stack of a thread.
        case stack
        /// Memory that is neither malloc's nor of a known kind.
        case otherMemory
        case object, closure, box, task, block
    }

    /// What the node is.
    public let kind: Kind
    /// The type, variable, closure or thread, as a person names it.
    public let name: String
    /// Through which property, element or capture it holds the next: ".subs[2].1", "captures DetailScreen strongly";
    /// empty at the end.
    public let through: String
    /// Whether the reference is certain by the type's layout, rather than a word that looks like one.
    public let isCertain: Bool
    /// Whether the short form leaves it out: storage of collections, thunks, boxes.
    public let isFolded: Bool
}

/// A direct holder of an instance.
public struct RetainHolder: Sendable, Hashable {
    /// The holder, and through what it holds the instance.
    public let step: RetainStep
    /// Whether a root reaches the holder.
    public let isReachable: Bool
}
