import LifetimeTracer
import RetainPaths
import Testing

/// Questions can name objects instead of ids.
@Suite(.disabledUnderSanitizers) struct ExplainObjectsTests {
    @Test func tracedObjectIsExplainedWithoutID() async throws {
        let keeper = Keeper()
        keeper.kept = TracedThing()
        let report = try await RetainPaths.explain([try #require(keeper.kept)])
        let explanation = try #require(report.explanations.first)
        #expect(explanation.instance == keeper.kept?.lifetime.id)
        #expect(explanation.type.qualified.hasSuffix("TracedThing"))
        #expect(explanation.strongReferences == 1 && explanation.explainedReferences == 1)
        #expect(explanation.holders.map(\.step.through) == [".kept"], "the question holds nothing")
        #expect(report.cost.excludedWords > 0, "this program contains metadata")
        withExtendedLifetime(keeper) {}
    }

    @Test func objectWithPrivateLifetimeTokenIsExplained() async throws {
        let keeper = Keeper()
        keeper.closed = Closed(number: 1)
        let objects = [try #require(keeper.closed), try #require(keeper.closed)]
        let report = try await RetainPaths.explain(objects)
        #expect(report.explanations.map(\.type.qualified.isEmpty) == [false, false])
        #expect(report.explanations.allSatisfy { $0.type.qualified.hasSuffix("Closed") })
        #expect(report.explanations[0].holders.contains { $0.step.through == ".closed" })
        #expect(report.explanations[0].instance == report.explanations[1].instance)
        withExtendedLifetime(keeper) {}
    }

    @Test func lifetimeTokenOfSuperclassIsFound() async throws {
        let object = Subclass(number: 2)
        let report = try await RetainPaths.explain([object])
        #expect(report.explanations.first?.type.qualified.hasSuffix("Subclass") == true)
        withExtendedLifetime(object) {}
    }

    @Test func objectIsExplainedOnlyInItsRegistry() async throws {
        let registry = LifetimeRegistry()
        let object = registry.withCurrent { Closed(number: 3) }
        let report = try await RetainPaths.explain([object], in: registry)
        #expect(report.explanations.first?.status != .gone)
        await #expect(throws: RetainPathsError.self, "the shared registry does not know it") {
            _ = try await RetainPaths.explain([object], in: .shared)
        }
        withExtendedLifetime(object) {}
    }

    @Test func untracedObjectIsRefusedWithTypeName() async throws {
        let object = Untraced()
        let error = await #expect(throws: RetainPathsError.self) { _ = try await RetainPaths.explain([object]) }
        guard case .notTraced(let name) = error else {
            Issue.record("it is \(String(describing: error))")
            return
        }
        #expect(name.qualified.hasSuffix("Untraced"))
        #expect(error?.description.contains("LifetimeToken") == true)
    }
}

private final class Keeper: @unchecked Sendable {
    // `@unchecked Sendable` is safe because the object belongs to one test.
    var kept: TracedThing?
    var closed: Closed?
}

private final class TracedThing: TracedObject {}

/// A class with a private token, between fields with arbitrary words.
private class Closed {
    private let word: UInt
    private let token: LifetimeToken
    private let text = "a text that is longer than fifteen bytes"

    init(number: Int) {
        word = .max << 20 | UInt(number)
        token = LifetimeToken(of: Self.self)
    }
}

private final class Subclass: Closed {
    let more = [1, 2, 3]
}

/// An untraced class whose words resemble handles.
private final class Untraced {
    let zero: UInt = 0
    let small: UInt = 17
    let high: UInt = 0x7FFF_FFFF_FFF0_0011
    let address = UInt(bitPattern: ObjectIdentifier(Untraced.self))
    lazy var own = self
}
