import LifetimeTracer
import LifetimeTracerTestKit
import Testing
import XCTest

/// A reactor that is released while its request is in flight, as in the guide.
///
/// The server never answers and keeps the completion closures, as a session keeps those of its tasks.
private final class SilentServer: Sendable {
    static let shared = SilentServer()
    private let completions = Locked<[UInt64: Completion]>([:])
    private let last = Locked(UInt64(0))

    /// Sends a request; removing the token cancels it.
    func get(_ path: String, for owner: some Traced, completion: @escaping @Sendable (String) -> Void) -> ObserverToken
    {
        let number = last.withLock { last in
            last += 1
            return last
        }
        completions.withLock { $0[number] = Completion(call: completion) }
        return ObserverToken(.request, event: "GET \(path)", owner: owner) { [self] in
            _ = completions.withLock { $0.removeValue(forKey: number) }
        }
    }

    /// Retains the token of a request, as a session retains its tasks.
    func keep(_ token: ObserverToken) { kept.withLock { $0.append(token) } }
    private let kept = Locked<[ObserverToken]>([])

    private struct Completion: LockedState {
        let call: @Sendable (String) -> Void
    }
}

private enum Leaking {
    // guide: request leaking
    /// `@unchecked Sendable` is safe because the state is locked.
    final class SearchReactor: TracedObject, @unchecked Sendable {
        private let found = Locked("")

        func search() {
            let request = SilentServer.shared.get("/search", for: self) { answer in
                self.found.withLock { $0 = answer }
            }
            SilentServer.shared.keep(request)
        }
    }
    // guide: end
}

private enum Mended {
    /// `@unchecked Sendable` is safe because the state is locked.
    final class SearchReactor: TracedObject, @unchecked Sendable {
        private let found = Locked("")
        private let bag = RegistrationBag()

        func search() {
            SilentServer.shared.get("/search", for: self) { [weak self] answer in
                self?.found.withLock { $0 = answer }
            }
            .store(in: bag)
        }
    }
}

private let wantedLines = [
    "Leaking.SearchReactor #", "Expected: the instance is deallocated: its view has gone.", "• Leaking.SearchReactor #",
    "1 token for GET /search is in force.", "Expected: 0: requests are cancelled with their reactor.",
]
private let wantedPath = ["Leaking.SearchReactor #", "  static SilentServer.shared", "  ↳ closure #1 "]

@Suite(.repeatedOnRequest, .reports(wantedLines, path: wantedPath)) struct LeakingRequestGuide {
    private typealias SearchReactor = Leaking.SearchReactor

    // guide: request test
    @Test(.leakFree)
    func reactorIsReleasedWithItsView() async {
        var reactor: SearchReactor? = SearchReactor()
        reactor?.search()
        await expectReleased(&reactor, within: .zero, because: "its view has gone")
        expectTokens(event: "GET /search", count: 0, because: "requests are cancelled with their reactor")
    }
    // guide: end
}

@Suite(.repeatedOnRequest) struct MendedRequestGuide {
    private typealias SearchReactor = Mended.SearchReactor

    @Test(.leakFree)
    func reactorIsReleasedWithItsView() async {
        var reactor: SearchReactor? = SearchReactor()
        reactor?.search()
        await expectReleased(&reactor, within: .zero, because: "its view has gone")
        expectTokens(event: "GET /search", count: 0, because: "requests are cancelled with their reactor")
    }
}

final class LeakingRequestXCTestGuide: ReportingTestCase {
    private typealias SearchReactor = Leaking.SearchReactor
    override class var wanted: ReportWanted { ReportWanted(lines: wantedLines, pathLines: wantedPath) }

    // guide: request XCTest
    func testReactorIsReleasedWithItsView() {
        var reactor: SearchReactor? = SearchReactor()
        reactor?.search()
        expectReleased(&reactor, within: .zero, because: "its view has gone")
        expectTokens(event: "GET /search", count: 0, because: "requests are cancelled with their reactor")
    }
    // guide: end
}

final class MendedRequestXCTestGuide: LeakFreeTestCase {
    private typealias SearchReactor = Mended.SearchReactor

    func testReactorIsReleasedWithItsView() {
        var reactor: SearchReactor? = SearchReactor()
        reactor?.search()
        expectReleased(&reactor, within: .zero, because: "its view has gone")
        expectTokens(event: "GET /search", count: 0, because: "requests are cancelled with their reactor")
    }
}
