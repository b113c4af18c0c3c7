import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import RetainPaths
import Testing

/// The trait, applied by hand: its issues are collected instead of failing the test.
@Suite(.repeatedOnRequest) struct LeakFreeTraitTests {
    private func issues(
        _ trait: LeakFreeTrait, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [Issue] {
        let test = try #require(Test.current)
        return try await recordedIssues {
            try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
        }
    }

    @Test func testWithoutLeaksHasNoIssues() async throws {
        let issues = try await issues(.leakFree) { withExtendedLifetime(Screen()) {} }
        #expect(issues.isEmpty)
    }

    @Test func aLeakFailsTheTestAndIsExplained() async throws {
        let issues = try await issues(.leakFree(because: "a pair must let go", settling: .zero)) { Pair.leak("one") }
        let issue = try #require(issues.first)
        #expect(issues.count == 1 && issue.isFailure)
        #expect(issue.sourceLocation == Test.current?.sourceLocation)
        let lines = issue.text.split(separator: "\n").map(String.init)
        #expect(lines.first == "Left behind by the test: 2 Pair.")
        #expect(
            lines.dropFirst().first
                == "Expected: all instances and tokens of the test are released; a pair must let go.")
        #expect(
            lines.contains { $0.hasPrefix("• Pair #1 \"one\", created at LifetimeTracerTestKitTests/Leaks.swift:") })
        #expect(lines.contains { $0.hasPrefix("    in ") && $0.contains("Pair.leak") }, "\(issue.text)")
        if case .available = await RetainPaths.availability() {
            let found = "Pair #1 holds itself through a cycle that no root reaches; 1 of 1 strong reference explained."
            #expect(lines.contains(found), "\(issue.text)")
            #expect(lines.contains { $0.contains("2 objects of type Pair hold each other.") }, "\(issue.text)")
        } else {
            #expect(lines.contains { $0.hasPrefix("Holder: unknown. Retain paths are not available here: ") })
        }
    }

    @Test func aWarningDoesNotFailTheTest() async throws {
        let issues = try await issues(.leakFree(settling: .zero, severity: .warning)) { Pair.leak("one") }
        #expect(issues.map(\.severity) == [.warning])
    }

    @Test func budgetsAndExemptionsAreRespected() async throws {
        let within = try await issues(.leakFree(budgets: [Pair.self: 2], settling: .zero)) { Pair.leak("one") }
        #expect(within.isEmpty)
        let over = try await issues(.leakFree(budgets: [Pair.self: 1], settling: .zero)) { Pair.leak("one") }
        #expect(over.first?.text.hasPrefix("Left behind by the test: 2 Pair (budget 1).") == true)
        let exempt = try await issues(.leakFree(exempting: [Pair.self], settling: .zero)) { Pair.leak("one") }
        #expect(exempt.isEmpty)
    }

    @Test func tokenLeftByTheTestIsReported() async throws {
        let kept = Locked<ObserverToken?>(nil)
        let issues = try await issues(.leakFree(settling: .zero)) {
            let token = ObserverToken(.hub, event: "changed", ownerType: Screen.self) {}
            kept.withLock { $0 = token }
        }
        #expect(issues.map(\.firstLine) == ["Left behind by the test: 1 token."])
        #expect(issues.first?.text.contains("• hub token for changed, owner Screen, registered at ") == true)
        #expect(issues.first?.text.contains("Holder: ") == false)

        let exempt = try await self.issues(.leakFree(exemptEvents: ["changed"], settling: .zero)) {
            let token = ObserverToken(.hub, event: "changed") {}
            kept.withLock { $0 = token }
        }
        #expect(exempt.isEmpty)
    }

    @Test func oneInstanceOfEachTypeIsReported() async throws {
        let shelf = Shelf()
        let last = Locked<Chain<[String]>?>(nil)
        let issues = try await issues(.leakFree(settling: .zero)) {
            for _ in 0..<40 { shelf.keep(Screen()) }
            last.withLock { $0 = Chain(label: "last") }
        }
        let text = try #require(issues.first?.text)
        #expect(text.hasPrefix("Left behind by the test: 40 Screen, 1 Chain<Array<String>>.\n"))
        #expect(text.contains("• Chain<Array<String>> #41 \"last\", created at "), "\(text)")
        #expect(text.contains("• and 33 more\n"))
        shelf.clear()
        last.withLock { $0 = nil }
    }

    @Test(.enabled("there are retain paths") { await RetainPaths.availability() == .available })
    func instancesWithTheSamePathAreCountedByType() async throws {
        let issues = try await issues(.leakFree(settling: .zero)) {
            for _ in 0..<3 {
                let (screen, chain) = (Chain<Int>(), Chain<String>())
                screen.next = chain
                chain.next = screen
            }
            Pair.leak("one")
        }
        let text = try #require(issues.first?.text)
        #expect(text.contains("  5 more are held in the same way: 3 Chain<String>, 2 Chain<Int>.\n"), "\(text)")
        #expect(text.contains("  1 more is held in the same way: 1 Pair.\n"), "\(text)")
    }

    @Test(.enabled("there are retain paths") { await RetainPaths.availability() == .available })
    func reportListsSomeOfManyObjectsHeldByALeak() async throws {
        let issues = try await issues(.leakFree(settling: .zero)) {
            let first = Chain<Int>()
            first.next = first
            first.others = (0..<20).map { _ in Screen() }
        }
        let text = try #require(issues.first?.text)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  Victim: Screen #") } == 8, "\(text)")
        #expect(text.contains("  Victims: 12 more\n"), "\(text)")
    }

    @Test func manyLeaksAreCountedAndSomeListed() async throws {
        let shelf = Shelf()
        let issues = try await issues(.leakFree(settling: .zero)) {
            for _ in 0..<600 { shelf.keep(Screen()) }
        }
        let text = try #require(issues.first?.text)
        #expect(text.hasPrefix("Left behind by the test: 600 Screen.\n"))
        #expect(text.split(separator: "\n").count { $0.hasPrefix("• Screen #") } == 8)
        #expect(text.contains("• and 592 more\n"))
        // Objects that stay would be part of every later search.
        shelf.clear()
    }
}
