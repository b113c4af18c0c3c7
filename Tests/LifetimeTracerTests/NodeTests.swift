import LifetimeTracer
import Testing

@Suite struct NodeTests {
    @Test func removalFromParentSetsADeadlineWithAReason() {
        let bench = Bench()
        let (flow, screen) = bench.make { (Flow(), Screen()) }
        flow.addChild(screen)
        #expect(bench.registry.snapshot().instances[1].parent == flow.lifetimeID)
        #expect(bench.registry.children(of: flow.lifetimeID) == [screen.lifetimeID])
        screen.removeFromParent()
        #expect(screen.parent == nil && flow.children.isEmpty)
        bench.pass(.seconds(2))
        #expect(bench.messages == ["overdue: Screen not deallocated after being removed from its parent"])
        #expect(bench.registry.verdicts()[0].reason == "removed from its parent")
    }

    @Test func nodeReleasedOnRemovalGetsNoVerdict() {
        let bench = Bench()
        let flow = bench.make { Flow() }
        bench.make {
            let screen = Screen()
            flow.addChild(screen)
            screen.removeFromParent()
        }
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
        #expect(bench.registry.summary().live == 1)
    }

    @Test func dismissalSetsDeadlinesForTheWholeSubtree() {
        let bench = Bench()
        let (root, wrapper, screen, cell) = bench.make { (Screen(), Flow(), Screen(), Plain()) }
        wrapper.addChild(screen)
        root.present(wrapper)
        #expect(root.presented === wrapper && wrapper.presenter === root)
        root.dismiss()
        bench.pass(.seconds(2))
        #expect(
            bench.messages == [
                "overdue: Flow not deallocated after being dismissed",
                "overdue: Screen not deallocated after being dismissed",
            ])
        withExtendedLifetime(cell) {}
    }

    @Test func addingANodeBackCancelsItsDeadlineUntilNextRemoval() {
        let bench = Bench()
        let (flow, screen) = bench.make { (Flow(), Screen()) }
        flow.addChild(screen)
        screen.removeFromParent()
        bench.pass(.seconds(1))
        flow.addChild(screen)
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty && bench.registry.snapshot().deadlines.isEmpty)
        screen.removeFromParent()
        bench.pass(.seconds(2))
        #expect(bench.messages.count == 1)
        flow.addChild(screen)
        #expect(bench.registry.summary().overdue == 0)
    }

    @Test func moveToAnotherParentSetsNoDeadline() {
        let bench = Bench()
        let (one, other, screen) = bench.make { (Flow(), Flow(), Screen()) }
        one.addChild(screen)
        other.addChild(screen)
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
        #expect(one.children.isEmpty && other.children.count == 1)
        #expect(bench.registry.children(of: one.lifetimeID).isEmpty)
    }

    @Test func exemptNodeGetsNoVerdictAndRecordsItsReason() {
        let bench = Bench()
        let (flow, tab, inner) = bench.make { (Flow(), Screen(), Screen()) }
        tab.exemptFromLeavingDeadline(because: "cached tab")
        flow.addChild(tab)
        tab.addChild(inner)
        tab.removeFromParent()
        bench.pass(.seconds(10))
        #expect(bench.registry.verdicts().map(\.instance) == [inner.lifetimeID])
        #expect(bench.registry.snapshot().instances[1].exemption == "cached tab")
        tab.removeExemption()
        flow.addChild(tab)
        tab.removeFromParent()
        bench.pass(.seconds(10))
        #expect(bench.registry.verdicts().contains { $0.instance == tab.lifetimeID })
    }

    @Test func exemptionCancelsARunningDeadline() {
        let bench = Bench()
        let (flow, tab) = bench.make { (Flow(), Screen()) }
        flow.addChild(tab)
        tab.removeFromParent()
        tab.exemptFromLeavingDeadline(because: "cached tab")
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
    }

    @Test func childThatOutlivesItsParentBecomesOverdue() {
        let bench = Bench()
        var flow: Flow? = bench.make { Flow() }
        let screen = bench.make { Screen() }
        flow?.addChild(screen)
        flow = nil
        bench.pass(.seconds(2))
        #expect(bench.messages == ["overdue: Screen not deallocated though its parent has gone"])
        #expect(bench.registry.snapshot().instances[0].parent == nil)
    }

    @Test func removalUsesTheDelayGivenInTheCall() throws {
        let bench = Bench()
        let (flow, patient, hasty) = bench.make { (Flow(), Screen(), Screen()) }
        for (screen, delay) in [(patient, Duration.seconds(60)), (hasty, .zero)] {
            flow.addChild(screen)
            try screen.removeFromParent(expectingDeallocationWithin: delay)
        }
        bench.pass(.zero)
        #expect(bench.registry.verdicts().map(\.instance) == [hasty.lifetimeID])
        bench.pass(.seconds(60))
        #expect(bench.messages.count == 2)
        withExtendedLifetime((flow, patient, hasty)) {}
    }

    @Test(arguments: [Duration.seconds(-1), .seconds(366 * 24 * 3600)])
    func invalidDelayIsRefusedAndTreeStaysUnchanged(delay: Duration) throws {
        let bench = Bench()
        let (flow, child, presented) = bench.make { (Flow(), Screen(), Screen()) }
        flow.addChild(child)
        flow.present(presented)
        let error = #expect(throws: TracerError.self) {
            try child.removeFromParent(expectingDeallocationWithin: delay)
        }
        #expect(try #require(error).message == "The delay \(delay) is out of range.")
        #expect(throws: TracerError.self) { try flow.dismiss(expectingDeallocationWithin: delay) }
        #expect(child.parent === flow && flow.presented === presented)
        #expect(bench.registry.snapshot().deadlines.isEmpty)
    }

    @Test func nodeHasOneParentOrPresenterAtATime() {
        let bench = Bench()
        let (a, b, c) = bench.make { (Screen(), Screen(), Screen()) }
        c.addChild(b)
        a.present(b)
        #expect(c.children.isEmpty && b.parent == nil && b.presenter === a)
        c.addChild(b)
        #expect(a.presented == nil && b.presenter == nil && b.parent === c)
        a.dismiss()
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
        withExtendedLifetime((a, b, c)) {}
    }

    @Test func presentingTheSameNodeAgainSetsNoDeadline() {
        let bench = Bench()
        let (a, b) = bench.make { (Screen(), Screen()) }
        a.present(b)
        a.present(b)
        #expect(a.presented === b)
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
        withExtendedLifetime(a) {}
    }

    @Test func treeAcrossRegistriesCausesNoFalseVerdict() {
        let (one, other) = (Bench(), Bench())
        let parent = one.make { Flow() }
        // An instance with the same id as the parent, in the child's registry.
        var bystander: Screen? = other.make { Screen() }
        let child = other.make { Screen() }
        parent.addChild(child)
        #expect(bystander?.lifetimeID == parent.lifetimeID)
        #expect(bystander.map { other.registry.children(of: $0.lifetimeID) } == [])
        bystander = nil
        other.pass(.seconds(10))
        #expect(other.messages.isEmpty)
        child.removeFromParent()
        other.pass(.seconds(2))
        #expect(other.messages.count == 1 && one.messages.isEmpty)
        withExtendedLifetime(parent) {}
    }

    @Test func removingOrDismissingAnUnattachedNodeSetsNoDeadline() {
        let bench = Bench()
        let screen = bench.make { Screen() }
        screen.removeFromParent()
        screen.dismiss()
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
    }

    @Test func presentingReplacesThePresentedNode() {
        let bench = Bench()
        let (root, first, second) = bench.make { (Screen(), Screen(), Screen()) }
        root.present(first)
        root.present(second)
        #expect(root.presented === second && first.presenter == nil)
        bench.pass(.seconds(2))
        #expect(bench.registry.verdicts().map(\.instance) == [first.lifetimeID])
    }

    @Test func aCycleThroughAPresentationTraps() async {
        await #expect(processExitsWith: .failure) {
            let (a, b) = (Screen(), Screen())
            a.present(b)
            b.addChild(a)
        }
    }

    @Test func aCycleTraps() async {
        await #expect(processExitsWith: .failure) {
            let (parent, child) = (Screen(), Screen())
            parent.addChild(child)
            child.addChild(parent)
        }
    }
}
