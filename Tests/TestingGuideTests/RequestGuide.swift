import Foundation
import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing
import XCTest

/// A reactor that is released while its request is in flight, as in the guide.
///
/// The server never answers and keeps the completion closures, as a session keeps those of its tasks.
///
/// `@unchecked Sendable` is safe because the properties are used under the lock only.
private final class SilentServer: @unchecked Sendable {
    static let shared = SilentServer()
    /// Recursive, because a removed closure may hold the last reference to the owner of another token.
    private let lock = NSRecursiveLock()
    private var completions: [UInt64: @MainActor (String) -> Void] = [:]
    private var kept: [ObserverToken] = []
    private var last: UInt64 = 0

    /// Sends a request; removing the token cancels it.
    func get(_ path: String, for owner: some Traced, completion: @escaping @MainActor (String) -> Void)
        -> ObserverToken
    {
        let number = lock.withLock {
            last += 1
            completions[last] = completion
            return last
        }
        return ObserverToken(.request, event: "GET \(path)", owner: owner) { [self] in
            _ = lock.withLock { completions.removeValue(forKey: number) }
        }
    }

    /// Retains the token of a request, as a session retains its tasks.
    func keep(_ token: ObserverToken) { lock.withLock { kept.append(token) } }
}

private enum Leaking {
    // guide: request leaking
    @MainActor final class SearchReactor: TracedObject {
        private var found = ""

        func search() {
            let request = SilentServer.shared.get("/search", for: self) { answer in self.found = answer }
            SilentServer.shared.keep(request)
        }
    }
    // guide: end
}

private enum Mended {
    @MainActor final class SearchReactor: TracedObject {
        private var found = ""
        private let bag = RegistrationBag()

        func search() {
            SilentServer.shared.get("/search", for: self) { [weak self] answer in self?.found = answer }
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
    @MainActor func reactorIsReleasedWithItsView() async {
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
    @MainActor func reactorIsReleasedWithItsView() async {
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
    @MainActor func testReactorIsReleasedWithItsView() async {
        var reactor: SearchReactor? = SearchReactor()
        reactor?.search()
        await expectReleased(&reactor, within: .zero, because: "its view has gone")
        expectTokens(event: "GET /search", count: 0, because: "requests are cancelled with their reactor")
    }
    // guide: end
}

final class MendedRequestXCTestGuide: LeakFreeTestCase {
    private typealias SearchReactor = Mended.SearchReactor

    @MainActor func testReactorIsReleasedWithItsView() async {
        var reactor: SearchReactor? = SearchReactor()
        reactor?.search()
        await expectReleased(&reactor, within: .zero, because: "its view has gone")
        expectTokens(event: "GET /search", count: 0, because: "requests are cancelled with their reactor")
    }
}
