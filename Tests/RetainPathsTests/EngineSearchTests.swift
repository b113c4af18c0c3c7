#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Findings about objects with known holders.
@Suite(.disabledUnderSanitizers) struct EngineSearchTests {
    @Test func pathFromGlobalVariableIsReported() async throws {
        let targets: [UInt64] = {
            let trunk = Engine.plant("way")
            let leaf = EngineLeaf()
            trunk.next = EngineLeaf()
            trunk.next?.leaves = [EngineLeaf(), leaf]
            return [Engine.inverted(leaf)]
        }()
        let finding = try #require(try await Engine.findings(targets).first)
        #expect(finding.status == .reachable)
        #expect(finding.strongCount == 1 && finding.found == 1 && finding.precise == 1)
        #expect(finding.steps.first?.node == .rootData)
        #expect(finding.steps.suffix(4).map { $0.names.first?.text } == ["next", "leaves", nil, nil])
        #expect(finding.steps.suffix(2).first?.index == 1)
        #expect(finding.steps.last?.edge == nil)
        #expect(finding.steps.last?.address == UInt(~targets[0]))
        #expect(finding.holders.count == 1 && finding.holders[0].isReached)
        Engine.uproot("way")
    }

    @Test func strongWeakAndUnownedReferencesAreCounted() async throws {
        let targets: [UInt64] = {
            let trunk = Engine.plant("several")
            let leaf = EngineLeaf()
            trunk.next = leaf
            trunk.leaves = [leaf, leaf]
            trunk.named["leaf"] = leaf
            trunk.payload = .pair(leaf, name: "a name that does not fit into fifteen bytes")
            trunk.action = { leaf.next = nil }
            trunk.weakly = leaf
            trunk.unownedly = leaf
            trunk.unsafely = leaf
            trunk.identifier = ObjectIdentifier(leaf)
            return [Engine.inverted(leaf)]
        }()
        let finding = try #require(try await Engine.findings(targets).first)
        #expect(finding.strongCount == 6)
        #expect(finding.precise == 6 && finding.found == 6)
        #expect(finding.weakCount == 1 && finding.unownedCount == 1)
        #expect(finding.holders.count == 6)
        Engine.uproot("several")
    }

    @Test func cycleIsReported() async throws {
        let targets: [UInt64] = {
            let first = EngineLeaf()
            let second = EngineLeaf()
            first.next = second
            second.payload = .leaf(first)
            return [Engine.inverted(first)]
        }()
        let finding = try #require(try await Engine.findings(targets).first)
        #expect(finding.status == .cycle)
        #expect(finding.cycle == 0...1)
        #expect(finding.steps.map { $0.names.map(\.text) } == [["next"], ["payload", "leaf"]])
        #expect(finding.steps.first?.address == UInt(~targets[0]))
        #expect(finding.found == finding.strongCount)
        breakCycle(targets[0])
    }

    @Test func objectLeakedByCycleIsReported() async throws {
        let targets: [UInt64] = {
            let first = EngineLeaf()
            let second = EngineLeaf()
            let leaf = EngineLeaf()
            first.next = second
            second.next = first
            second.leaves = [leaf]
            return [Engine.inverted(leaf), Engine.inverted(first)]
        }()
        let findings = try await Engine.findings([targets[0]])
        let finding = try #require(findings.first)
        #expect(finding.status == .leakedByCycle)
        let cycle = try #require(finding.cycle)
        #expect(cycle.count == 2 && cycle.lowerBound == 0)
        #expect(finding.steps[cycle.upperBound + 1].address == finding.steps[0].address)
        #expect(finding.steps.last?.address == UInt(~targets[0]))
        // If a member of the cycle is part of the question, that member is the culprit.
        let both = try await Engine.findings(targets)
        #expect(both.map(\.status) == [.leakedByCycle, .cycle])
        #expect(both.map(\.culprit) == [1, nil])
        breakCycle(targets[1])
    }

    @Test func overretainedObjectHasNoCertainPath() async throws {
        // The address is kept inverted, so that it is nowhere in memory while the search runs.
        let target: UInt64 = {
            let leaked = EngineLeaf()
            // Balanced at the end of the test.
            _ = Unmanaged.passRetained(leaked)
            return Engine.inverted(leaked)
        }()
        let finding = try #require(try await Engine.findings([target]).first)
        #expect(finding.strongCount == 1)
        #expect(finding.precise == 0)
        // A stack may still contain the address from a call that has returned.
        let isUncertain = finding.steps.contains { $0.edge != nil && !$0.isPrecise }
        #expect(finding.status == .noRootFound || isUncertain)
        object(target).release()
    }

    @Test func victimIsReportedWithItsCulprit() async throws {
        let targets: [UInt64] = {
            let trunk = Engine.plant("victims")
            let culprit = EngineLeaf()
            let victim = EngineLeaf()
            let free = EngineLeaf()
            trunk.next = culprit
            trunk.leaves = [EngineLeaf(), free]
            culprit.next = victim
            culprit.leaves = [free]
            return [victim, culprit, free].map(Engine.inverted)
        }()
        let findings = try await Engine.findings(targets)
        #expect(findings.map(\.status) == [.reachable, .reachable, .reachable])
        #expect(findings.map(\.culprit) == [1, nil, nil])
        Engine.uproot("victims")
    }

    @Test func dictionaryKeysAreReported() async throws {
        let long = String(repeating: "schlüssel", count: 12)
        let targets: [UInt64] = {
            let trunk = Engine.plant("keys")
            let leaves = (0..<5).map { _ in EngineLeaf() }
            trunk.named = ["short": leaves[0], "a literal of more than fifteen bytes": leaves[1], long: leaves[2]]
            trunk.numbered = [-7: leaves[3]]
            trunk.anything = ["screen": leaves[4]]
            return leaves.map(Engine.inverted)
        }()
        let findings = try await Engine.findings(targets)
        let keys = findings.map { $0.holders.first?.key }
        #expect(keys[0] == .string("short"))
        #expect(keys[1] == .string("a literal of more than fifteen bytes"))
        guard case .string(let cut) = keys[2] else {
            Issue.record("no string: \(String(describing: keys[2]))")
            return
        }
        #expect(long.hasPrefix(cut) && (60...64).contains(cut.utf8.count))
        #expect(keys[3] == .signed(-7))
        #expect(keys[4] == .string("screen"))
        Engine.uproot("keys")
    }

    @Test func deadObjectIsNotFound() async throws {
        final class Mayfly { let words = (1, 2, 3, 4, 5) }
        let targets = [Engine.inverted(Mayfly()), 0]
        let findings = try await Engine.findings(targets)
        #expect(findings.count == 2)
        #expect(findings[1].status == .notFound)
        // The object's memory may have been reused, but not for an object of that type.
        #expect(findings[0].status == .notFound || findings[0].metadata != metadata(of: Mayfly.self))
    }

    @Test func tracedInstancesAreFoundByInstanceID() async throws {
        final class Screen: TracedObject, @unchecked Sendable, LockedState {}
        let registry = LifetimeRegistry()
        let held = Locked<Screen?>(nil)
        let id = registry.withCurrent {
            let screen = Screen()
            held.withLock { $0 = screen }
            return screen.lifetime.id
        }
        let report = try await RetainPaths.explain([id, id], in: registry)
        #expect(report.explanations.count == 2)
        #expect(report.explanations.map(\.instance) == [id, id])
        #expect(report.explanations.allSatisfy { $0.status != .gone && $0.strongReferences == 1 })
        held.withLock { $0 = nil }
        let after = try await RetainPaths.explain([id], in: registry)
        #expect(after.explanations.map(\.status) == [.gone])
    }

    /// Optimised code places the object in the memory of the test's Task.
    @Test func localObjectOfAnAsyncFunctionIsNotReportedAsGone() async throws {
        let explanation = try await Self.explainLocalObject()
        #expect(explanation?.status != .gone)
        #expect(explanation?.type.name.hasSuffix("LocalScreen") == true)
    }

    private final class LocalScreen: TracedObject, @unchecked Sendable {
        // `@unchecked Sendable` is safe because only one test uses the object.
        var taps = 0
    }

    @inline(never)
    private static func explainLocalObject() async throws -> RetainExplanation? {
        let registry = LifetimeRegistry()
        let screen = registry.withCurrent { LocalScreen() }
        let report = try await RetainPaths.explain([screen.lifetime.id], in: registry)
        screen.taps += 1
        return report.explanations.first
    }

    private func metadata(of type: AnyObject.Type) -> UInt {
        UInt(bitPattern: Int(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self)))
    }

    /// Returns the object with an inverted address.
    ///
    /// The object must be alive.
    private func object(_ target: UInt64) -> Unmanaged<EngineLeaf> {
        guard let pointer = UnsafeRawPointer(bitPattern: UInt(~target)) else { preconditionFailure("a null target") }
        return Unmanaged.fromOpaque(pointer)
    }

    private func breakCycle(_ target: UInt64) {
        object(target).takeUnretainedValue().next = nil
    }
}
#endif
