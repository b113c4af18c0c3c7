import LifetimeTracer

@testable import LifetimeTracerDashboard
@testable import RetainPaths

extension RetainExplainer {
    /// An explainer for a machine on which the process cannot be copied.
    static let unavailable = Self { _, _, _ in
        throw RetainPathsError.unavailable(reason: "there is no heap in a test.")
    }

    /// An explainer that returns ``RetainExplanation/madeUp(_:)``.
    static let madeUp = Self { ids, _, progress in
        progress(.copying)
        return .madeUp(ids)
    }
}

extension RetainReport {
    static func madeUp(_ ids: [InstanceID]) -> Self {
        Self(
            explanations: ids.map(RetainExplanation.madeUp),
            cost: RetainCost(
                objects: 2305, blocks: 5713, pause: .nanoseconds(376_000), total: .nanoseconds(38_700_400), rounds: 2,
                copyBytes: 6_959_104, excludedWords: 41_210))
    }
}

extension RetainStep {
    init(_ kind: Kind, _ name: String, _ through: String = "", isCertain: Bool = true, isFolded: Bool = false) {
        self.init(kind: kind, name: name, through: through, isCertain: isCertain, isFolded: isFolded)
    }
}

extension RetainExplanation {
    /// Instance 2 is held by a hub's closure and holds instance 3.
    ///
    /// All other instances are held by a cycle.
    static func madeUp(_ id: InstanceID) -> Self {
        id.rawValue == 2 ? .inAHub(id) : id.rawValue == 3 ? .inACycle(id, culprit: nil) : .unexplained(id)
    }

    static func inAHub(_ id: InstanceID, known: KnownLeak? = nil) -> Self {
        let closure = RetainStep(
            .closure, "closure #2 (String) -> () in TextScreen.bind()", "captures TextScreen strongly")
        return Self(
            instance: id, type: TypeName(module: "Demo", name: "TextScreen"), status: .reachable, strongReferences: 3,
            explainedReferences: 3,
            path: [
                RetainStep(.global, "static Hub.shared"), RetainStep(.object, "Hub", ".subs"),
                RetainStep(.object, "_ContiguousArrayStorage", "[2].1", isFolded: true), closure,
                RetainStep(.object, "TextScreen"),
            ],
            holders: [
                RetainHolder(step: closure, isReachable: true),
                RetainHolder(step: RetainStep(.block, "48 bytes of memory", isCertain: false), isReachable: false),
            ], suspect: 3, hint: RetainHint(pattern: .hubCapture, text: "Capture self weakly, [weak self]."),
            fingerprint: Fingerprint(parts: ["Hub.subs", "TextScreen"]),
            signature: "static Hub.shared → Hub.subs.1 → closure in TextScreen.bind() → TextScreen", known: known)
    }

    static func inACycle(_ id: InstanceID, culprit: InstanceID?) -> Self {
        Self(
            instance: id, type: TypeName(module: "Demo", name: "Cell"), status: .cycle, strongReferences: 1,
            explainedReferences: 1,
            path: [RetainStep(.object, "Cell", ".parent"), RetainStep(.object, "TextScreen", ".cells")], cycle: 0...1,
            culprit: culprit, suspect: 0, fingerprint: Fingerprint(parts: ["Cell.parent", "TextScreen.cells"]),
            signature: "Cell.parent → TextScreen.cells → Cell")
    }

    static func unexplained(_ id: InstanceID) -> Self {
        Self(
            instance: id, type: TypeName(module: "Demo", name: "Other"), status: .noRootFound, strongReferences: 2,
            explainedReferences: 0)
    }
}
