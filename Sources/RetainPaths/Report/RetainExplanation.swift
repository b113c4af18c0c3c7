import CRetainPaths
public import LifetimeTracer

/// The result of a search for one instance: the path or cycle that holds the instance, and its direct holders.
public struct RetainExplanation: Sendable {
    /// The status of an instance.
    public enum Status: String, Sendable, CaseIterable {
        /// A chain of strong references leads from a root to the instance.
        case reachable
        /// The instance holds itself, through a cycle that no root reaches.
        case cycle
        /// A cycle that no root reaches holds the instance, and the instance is not part of the cycle.
        case leakedByCycle
        /// No holder explains the instance: it was retained too often, or a thread holds it in a register.
        case noRootFound
        /// The instance is live, but not on the heap.
        ///
        /// Optimised code places an object on a stack or in the memory of a Task if no reference leaves the function
        /// that creates the object. The object dies when that function has used it for the last time.
        case notOnHeap
        /// The instance is dead, or its deinit is running.
        case gone
    }

    /// The largest number of direct holders that an explanation lists.
    public static let mostHolders = Int(RP_MAX_HOLDERS)

    /// The instance.
    public let instance: InstanceID
    /// The instance's type.
    public let type: TypeName
    /// The status of the instance.
    public let status: Status
    /// The instance's strong reference count.
    public let strongReferences: Int
    /// The number of strong references to the instance that were found in memory.
    ///
    /// The answer is complete if it equals ``strongReferences``.
    public let explainedReferences: Int
    /// The path from the root to the instance, or the steps of the cycle; empty if there is none.
    public let path: [RetainStep]
    /// The position of the cycle in ``path``, if there is one.
    ///
    /// The step at the upper bound holds the step at the lower bound.
    public let cycle: ClosedRange<Int>?
    /// The direct holders that were found, at most ``mostHolders``.
    public let holders: [RetainHolder]
    /// The other instance of the same question through which alone this instance is held.
    ///
    /// When the culprit dies, this instance dies too.
    public let culprit: InstanceID?
    /// The step of ``path`` whose reference should most likely be given up.
    ///
    /// `nil` if the reference is not certain, or if several references of a cycle are equally likely.
    public let suspect: Int?
    /// The remedy in words, if the pattern of the leak is known.
    public let hint: RetainHint?
    /// A hash that is the same for the same leak in every run.
    ///
    /// It covers the types and property names of the suspect's part of the path.
    public let fingerprint: Fingerprint?
    /// The path as types, properties and closures, without indices, keys and addresses; empty if there is no path.
    ///
    /// Patterns of known leaks are compared with the signature.
    ///
    /// `static Hub.shared → Hub.subs.1 → closure in DetailScreen.bind() → DetailScreen`
    public let signature: String
    /// The known leak that this leak matches, if any.
    public let known: KnownLeak?
    /// The known leak that this leak matched until its last day.
    public let expired: KnownLeak?

    /// The type without its module and the modules of its type arguments.
    public var shortTypeName: String { ShortTypeName.of(type.qualified) }

    /// Creates an explanation from its parts.
    init(
        instance: InstanceID, type: TypeName, status: Status, strongReferences: Int = 0, explainedReferences: Int = 0,
        path: [RetainStep] = [], cycle: ClosedRange<Int>? = nil, holders: [RetainHolder] = [],
        culprit: InstanceID? = nil,
        suspect: Int? = nil, hint: RetainHint? = nil, fingerprint: Fingerprint? = nil, signature: String = "",
        known: KnownLeak? = nil, expired: KnownLeak? = nil
    ) {
        self.instance = instance
        self.type = type
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

/// A direct holder of an instance.
public struct RetainHolder: Sendable, Hashable {
    /// The holder, and the property or element that holds the instance.
    public let step: RetainStep
    /// Whether a root reaches the holder.
    public let isReachable: Bool
}
