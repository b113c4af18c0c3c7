import LifetimeTracer

@testable import LifetimeTracerDashboard

/// A bench with some instances, tokens and verdicts of every kind, the same in every run.
final class Story {
    let bench: Bench
    let navigation: Navigation
    let screen: TextScreen
    let cell: Cell
    let sessions: [Session]
    private(set) var tokens: [ObserverToken] = []

    init(
        routes: [Route] = [], explainer: RetainExplainer = .unavailable,
        capturer: HeapCapturer = .unavailable
    ) throws {
        bench = Bench(routes: routes, explainer: explainer, capturer: capturer)
        let registry = bench.registry
        registry.assign(TextScreen.self, Cell.self, toGroup: "screens")
        try registry.setBudget(5, forGroup: "screens")
        try registry.setTokenThreshold(1, event: "keyboardWillShow")
        (navigation, screen, cell) = registry.withCurrent {
            let navigation = Navigation(label: "main", file: "Demo/App.swift", line: 7)
            let screen = TextScreen(
                label: "the \"first\" <b>é🙂</b>", owner: navigation, file: "Demo/Text.swift", line: 12)
            return (navigation, screen, Cell(file: "Demo/Cell.swift", line: 3))
        }
        navigation.addChild(screen)
        screen.addChild(cell)
        try registry.setMark("before")
        sessions = registry.withCurrent {
            (1...2).map { Session(label: "session \($0)", file: "Demo/App.swift", line: 20) }
        }
        tokens = (1...2).map { _ in token(.notification, "keyboardWillShow", screen, line: 20) }
        tokens[0].recordDelivery()
        tokens[0].recordDelivery()
        tokens.append(token(.timer, "poll", nil, Session.self, line: 31))
        tokens.append(token(.subscription, "prices", nil, line: 32))
        // The budget is set only now, so that the registry's thread cannot report it before the tokens are crowded.
        try registry.setBudget(1, for: Session.self)
        registry.check()
        registry.tokenRefused(kind: .hub, event: "reload", owner: TokenOwner(nil, type: Session.self))
        bench.pass(.milliseconds(1500))
        try leave()
    }

    /// Creates an overdue screen, a late flow, and an orphaned token.
    private func leave() throws {
        let registry = bench.registry
        screen.removeFromParent()
        var flow: Flow? = registry.withCurrent { Flow(label: "checkout", file: "Demo/Flow.swift", line: 5) }
        if let flow { try registry.expectDeallocation(of: flow, within: .seconds(1), because: "flow ended") }
        var owner: Flow? = registry.withCurrent { Flow(file: "Demo/Flow.swift", line: 9) }
        if let owner { tokens.append(token(.notification, "keyboardWillHide", owner, line: 40)) }
        owner = nil
        try registry.expectDeallocation(of: navigation, within: .seconds(3600), because: "logged out")
        bench.pass(.milliseconds(3250))
        flow = nil
        // Delivers the verdict now. Otherwise the registry's thread would deliver it at some later time.
        registry.check()
        bench.pass(.seconds(1))
    }

    private func token(
        _ kind: TokenKind, _ event: String, _ owner: (any Traced)?, _ ownerType: Any.Type? = nil, line: Int
    ) -> ObserverToken {
        ObserverToken(
            kind, event: event, owner: owner, ownerType: ownerType, registry: bench.registry, file: "Demo/Text.swift",
            line: line
        ) {}
    }
}
