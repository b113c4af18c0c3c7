import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// The findings of the individual expectations.
///
/// None of these tests leaves anything behind itself.
@Suite(.repeatedOnRequest, .leakFree) struct ExpectationTests {
    /// So long that a test hangs if it waits for all of it and not for the event.
    private static let tooLong = Duration.seconds(86_400)

    // MARK: assertLeakFree

    @Test func aBlockThatLeavesNothingIsLeakFree() async throws {
        let issues = try await recordedIssues {
            assertLeakFreeSync { withExtendedLifetime(Screen()) {} }
            await assertLeakFree { await Task { withExtendedLifetime(Screen()) {} }.value }
        }
        #expect(issues.isEmpty)
    }

    private func assertLeakFreeSync(_ body: () -> Void) {
        assertLeakFree { body() }
    }

    @Test func blockThatLeavesAnObjectIsReported() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues {
            await assertLeakFree(LeakRules(settling: .zero)) { await Task { shelf.keep(Screen()) }.value }
        }
        #expect(issues.map(\.firstLine) == ["Left behind by the block: 1 Screen."])
        shelf.clear()
    }

    @Test(.timeLimit(.minutes(20))) func objectFreedDuringSettlingIsNotReported() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues {
            await assertLeakFree(LeakRules(settling: Self.tooLong)) {
                shelf.keep(Screen())
                Task.detached {
                    await Task.yield()
                    shelf.clear()
                }
            }
        }
        #expect(issues.isEmpty)
    }

    @Test(.timeLimit(.minutes(20))) func tokenRemovedDuringSettlingIsNotReported() async throws {
        let kept = Locked<ObserverToken?>(nil)
        let issues = try await recordedIssues {
            await assertLeakFree(LeakRules(settling: Self.tooLong)) {
                let token = ObserverToken(.hub, event: "changed") {}
                kept.withLock { $0 = token }
                Task.detached {
                    await Task.yield()
                    token.remove()
                }
            }
        }
        #expect(issues.isEmpty)
    }

    // MARK: expectDeallocated

    @Test func unretainedObjectIsDeallocated() async throws {
        let issues = try await recordedIssues {
            expectDeallocatedSync { Screen() }
            await expectDeallocated(because: "it was shown") {
                await Task.yield()
                return Screen()
            }
        }
        #expect(issues.isEmpty)
    }

    private func expectDeallocatedSync(_ make: () -> Screen) {
        expectDeallocated(after: .zero, because: "it was shown", make)
    }

    // MARK: expectReleased

    @Test func expectReleasedAcceptsTheLastReference() async throws {
        let issues = try await recordedIssues {
            var screen: Screen? = Screen()
            await expectReleased(&screen, because: "nobody else has it")
            #expect(screen == nil)
        }
        #expect(issues.isEmpty)
    }

    @Test(.timeLimit(.minutes(20))) func waitEndsWhenTheObjectIsFreed() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues {
            shelf.keep(Screen())
            Task.detached {
                await Task.yield()
                shelf.clear()
            }
            weak let screen = shelf.first
            await expectReleased(screen?.lifetime, within: Self.tooLong)
            #expect(screen == nil)
        }
        #expect(issues.isEmpty)
    }

    @Test func objectWithAnotherReferenceIsReported() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues {
            var screen: Screen? = Screen()
            if let screen { shelf.keep(screen) }
            await expectReleased(&screen, within: .milliseconds(1), because: "dismissed")
            await expectReleased(shelf.first?.lifetime, within: .zero)
        }
        #expect(issues.count == 2)
        #expect(issues.first?.firstLine.hasSuffix(" is still alive 1 ms after its release.") == true)
        #expect(issues.first?.text.contains("Expected: the instance is deallocated: dismissed.") == true)
        #expect(issues.last?.firstLine.hasSuffix(" is still alive.") == true)
        shelf.clear()
    }

    // MARK: Counts

    @Test func wrongTokenCountIsReported() async throws {
        let screen = Screen()
        let tokens = [
            ObserverToken(.hub, event: "changed", owner: screen) {},
            ObserverToken(.hub, event: "changed", ownerType: Pair.self) {},
        ]
        let issues = try await recordedIssues {
            expectTokens(event: "changed", count: 2)
            expectTokens(event: "changed", owner: screen, count: 1)
            expectTokens(event: "changed", ownerType: Pair.self, count: 1)
            expectTokens(event: "changed", ownedBy: .nobody, count: 0)
            expectTokens(event: "other", count: 0)
            expectTokens(event: "changed", ownerType: Screen.self, count: 0, because: "it is gone")
        }
        #expect(issues.map(\.firstLine) == ["1 token for changed of Screen is in force."])
        #expect(issues.first?.text.contains("• hub token for changed, owner Screen #") == true)
        withExtendedLifetime((screen, tokens)) {}
    }

    @Test func orphanedTokenIsReported() async throws {
        var screen: Screen? = Screen()
        let token = screen.map { ObserverToken(.hub, event: "changed", owner: $0) {} }
        let before = try await recordedIssues { expectNoOrphanedTokens() }
        #expect(before.isEmpty)
        screen = nil
        let issues = try await recordedIssues { expectNoOrphanedTokens(within: .zero) }
        #expect(issues.map(\.firstLine) == ["1 token still in force though the owner has gone."])
        #expect(issues.first?.text.contains("which has gone") == true)
        token?.remove()
        let after = try await recordedIssues { expectNoOrphanedTokens() }
        #expect(after.isEmpty)
    }

    // MARK: Growth

    @Test func typeThatGrowsInEveryRoundIsReported() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues {
            await expectNoGrowth(rounds: 3, because: "a visit leaves nothing") {
                withExtendedLifetime(Pair()) {}
                shelf.keep(Screen())
                await Task.yield()
            }
        }
        #expect(issues.map(\.firstLine) == ["Grew in 3 rounds, which left: Screen (1, 1, 1)."])
        #expect(issues.first?.text.contains("• Screen #") == true)
        shelf.clear()
    }

    @Test func objectCreatedOnceIsNotReportedAsGrowth() async throws {
        let shelf = Shelf()
        let issues = try await recordedIssues {
            await expectNoGrowth(rounds: 3) {
                if shelf.first == nil { shelf.keep(Screen()) }
                withExtendedLifetime(Pair()) {}
                await Task.yield()
            }
        }
        #expect(issues.isEmpty)
        shelf.clear()
    }
}
