import Foundation
import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Scenario {
    /// A reactor whose view disappears while a request is in flight.
    static let requestInFlight = Scenario(
        name: "request-in-flight",
        title: "A reactor that is released while its request is in flight",
        story: """
            A view releases its reactor while a request is in flight, but the request's completion handler captures \
            the reactor, and no code cancels the request. The reactor lives until the response arrives: it is late \
            with a slow server, and it lives forever with a server that never responds.
            """,
        forms: [
            ScenarioInfo.Form(
                form: .leaking, summary: "The completion handlers capture self, and no bag holds the requests.",
                expects: [
                    "1 SearchReactor late: its view has gone",
                    "1 SearchReactor overdue: its view has gone",
                    "1 request token still in force",
                ],
                code: """
                    session.startDataTask(
                        with: request, event: "GET \\(url.path)",
                        owner: self) { data, _, _ in
                        self.receive(data)
                    }
                    .keep()
                    """),
            ScenarioInfo.Form(
                form: .mended,
                summary: "The completion handlers capture self weakly, and the reactor's bag holds the requests.",
                expects: [
                    "no MendedSearchReactor live",
                    "2 request tokens removed, none in force: the server saw both cancellations",
                ],
                code: """
                    session.startDataTask(
                        with: request, event: "GET \\(url.path)",
                        owner: self) {
                        [weak self] data, _, _ in self?.receive(data)
                    }
                    .store(in: bag)
                    """),
        ]
    ) { form, stage in
        let reactors = WeakKeyTable<SearchView, SearchReactor>()
        let navigation = NavigationStack()
        let name = form == .leaking ? "SearchReactor" : "MendedSearchReactor"

        var tickets: [SlowService.Ticket] = []
        for answer in [SlowService.Answer.after(seconds: 2), .never] {
            let ticket = stage.slowService.ticket()
            tickets.append(ticket)
            // Each request has its own session, so that an unanswered request does not block others.
            let session = try await stage.slowService.connectedSession()
            navigation.push(SearchView())
            search(for: stage.slowService.url(of: answer, ticket), answer, form, session, reactors, in: navigation)
            session.finishTasksAndInvalidate()
        }
        weak var slow = reactor(below: 0, of: navigation, reactors)
        weak var unanswered = reactor(below: 1, of: navigation, reactors)
        let arrived = await stage.comesTrue(within: .seconds(1)) {
            tickets.allSatisfy { stage.slowService.state(of: $0) == .waiting }
        }
        stage.note("2 requests in flight\(arrived ? ", both received by the server" : "")")

        for reactor in [slow, unanswered] {
            guard let reactor else { continue }
            try stage.registry.expectDeallocation(
                of: reactor, within: stage.registry.configuration.leavingDelay, because: "its view has gone")
        }
        navigation.pop()
        navigation.pop()
        stage.note("popped both views: the table released their reactors and holds \(reactors.count.of("reactor"))")

        let cancels = { tickets.count { stage.slowService.state(of: $0) == .cancelled } }
        if form == .mended {
            _ = await stage.comesTrue(within: .seconds(3)) { cancels() == tickets.count }
            stage.note("the server saw \(cancels().of("cancellation"))")
        }
        await stage.waitForVerdicts()
        if form == .leaking {
            _ = await stage.comesTrue(within: .seconds(2)) { slow == nil }
            stage.registry.check()
            stage.note("the slow response arrived, and the \(name) of its request was deallocated late")
        }
        let left = [slow, unanswered].count { $0 != nil }
        stage.note("\(left.of(name)) still live, the server saw \(cancels().of("cancellation"))")
    }

    @MainActor
    private static func search(
        for url: URL, _ answer: SlowService.Answer, _ form: ScenarioForm, _ session: URLSession,
        _ reactors: WeakKeyTable<SearchView, SearchReactor>, in navigation: NavigationStack
    ) {
        guard let view = navigation.top as? SearchView else { return }
        let reactor =
            form == .leaking ? SearchReactor(label: answer.label) : MendedSearchReactor(label: answer.label)
        reactors[view] = reactor
        reactor.search(url, with: session)
    }

    @MainActor
    private static func reactor(
        below index: Int, of navigation: NavigationStack, _ reactors: WeakKeyTable<SearchView, SearchReactor>
    ) -> SearchReactor? {
        guard let view = navigation.children[index] as? SearchView else { return nil }
        return reactors[view]
    }
}

/// A view that shows the results of its reactor.
private final class SearchView: Screen {}

/// A reactor that searches and keeps the result.
///
/// The reactor leaks while a request is in flight.
///
/// `@unchecked Sendable` is safe because all its state, and all inherited state, is inside locks.
private class SearchReactor: TracedObject, @unchecked Sendable {
    private let found = Locked<String?>(nil)

    func search(_ url: URL, with session: URLSession) {
        let request = URLRequest(url: url, timeoutInterval: SlowService.requestTimeout)
        session.startDataTask(with: request, event: "GET \(url.path)", owner: self) { data, _, _ in
            self.receive(data)
        }
        .keep()
    }

    fileprivate func receive(_ data: Data?) {
        found.withLock { $0 = data.map { String(decoding: $0, as: UTF8.self) } }
    }
}

/// The mended reactor, whose requests are cancelled when it is released.
///
/// `@unchecked Sendable` is safe because the bag, its only added state, is inside a lock.
private final class MendedSearchReactor: SearchReactor, @unchecked Sendable {
    private let bag = RegistrationBag()

    override func search(_ url: URL, with session: URLSession) {
        let request = URLRequest(url: url, timeoutInterval: SlowService.requestTimeout)
        session.startDataTask(with: request, event: "GET \(url.path)", owner: self) {
            [weak self] data, _, _ in self?.receive(data)
        }
        .store(in: bag)
    }
}
