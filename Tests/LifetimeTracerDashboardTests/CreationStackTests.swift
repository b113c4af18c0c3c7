import ForkTesting
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Creation stacks in responses.
@Suite struct CreationStackTests {
    @inline(never) private func makeInKitchen(_ bench: Bench) -> Session {
        // Work after the call prevents a tail call, so that an optimised build keeps the frame.
        let session = bench.registry.withCurrent { Session() }
        bench.registry.check()
        return session
    }

    private func expectStack(_ stack: JSON, of instance: InstanceRecord?) throws {
        let recorded = try #require(instance?.creationStack)
        let functions = stack.array.compactMap { $0["function"].string }
        #expect(functions == recorded.functions)
        #expect(functions.contains { $0.contains("makeInKitchen") }, "\(functions)")
        for frame in stack.array {
            #expect(frame.keys == ["function", "module", "offset"])
            #expect(frame["module"].string?.isEmpty == false && frame["module"].string?.contains("/") == false)
            #expect(frame["offset"].int.map { $0 >= 0 } == true)
        }
    }

    @Test func creationStacksAreInDetailsNotInInstanceLists() throws {
        let bench = Bench()
        let before = makeInKitchen(bench)
        bench.registry.recordsCreationStacks = true
        let made = makeInKitchen(bench)
        for session in [before, made] {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        }
        bench.pass(.seconds(2))

        #expect(try bench.json("/api/v1/instances/1")["creationStack"].isNull)
        try expectStack(
            bench.json("/api/v1/instances/2")["creationStack"], of: bench.registry.snapshot().instances.last)
        let overdue = try bench.json("/api/v1/overdue")["groups"][0]["instances"]
        #expect(overdue[0]["id"].int == 1 && overdue[0]["creationStack"].isNull)
        try expectStack(overdue[1]["creationStack"], of: bench.registry.snapshot().instances.last)
        let rows = try bench.json("/api/v1/instances")["instances"].array
        #expect(rows.count == 2 && !rows.contains { $0.keys.contains("creationStack") }, "a list names no functions")
        withExtendedLifetime((before, made)) {}
    }

    @Test func lateInstanceHasNoCreationStack() throws {
        let bench = Bench()
        bench.registry.recordsCreationStacks = true
        var session: Session? = makeInKitchen(bench)
        if let session {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        }
        bench.pass(.seconds(2))
        session = nil
        bench.registry.check()
        let late = try bench.json("/api/v1/overdue")["groups"][0]["instances"][0]
        #expect(late["state"].string == "late" && late["creationStack"].isNull)
    }

    @Test func summaryReportsWhetherStacksAreRecorded() throws {
        let bench = Bench()
        #expect(try bench.json("/api/v1/summary")["creationStacks"].bool == false)
        bench.registry.recordsCreationStacks = true
        #expect(try bench.json("/api/v1/summary")["creationStacks"].bool == true)
    }

    @Test func summaryReportsWhetherTracingIsOn() async {
        // The switch applies to the whole process, so the test runs in its own process.
        await #expect(processExitsWith: .success) {
            let bench = Bench()
            let before = bench.get("/api/v1/summary").text
            LifetimeRegistry.isTracing = false
            let after = bench.get("/api/v1/summary").text
            demand(before.contains(#""tracing":true"#) && after.contains(#""tracing":false"#), after)
        }
    }
}
