import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard

extension Scenario {
    /// A hub of closures that reload screens when data changes.
    static let databaseReload = Scenario(
        name: "database-reload",
        title: "A hub of closures that reload screens",
        story: """
            Screens reload when an SQLite file changes: a hub, which is a singleton, keeps the closures of the screens \
            and calls all of them. Three designs of the hub fail: the first accumulates closures, the second refuses \
            the closure of the visible screen, and the third holds screens forever; the fourth design is correct.
            """,
        forms: [
            ScenarioInfo.Form(
                form: .leaking,
                summary:
                    "Three designs in turn: always append a closure, keep the first closure, hold the screen strongly.",
                expects: [
                    "3 tokens for databaseChanged.append, crowded: one change calls 1, then 2, then 3 closures",
                    "all tokens for databaseChanged.append and databaseChanged.keepFirst orphaned",
                    "1 registration for databaseChanged.keepFirst refused: the second screen does not reload",
                    "1 DetailScreen overdue: removed from its parent",
                ],
                code: """
                    hub.observe(
                        owner: screen,
                        onMainActor: { _ in screen.reload() })?
                        .keep()
                    """),
            ScenarioInfo.Form(
                form: .mended,
                summary:
                    "One closure per screen type, which captures its screen weakly and runs later on the main queue.",
                expects: [
                    "each change reloads each screen once",
                    "no MendedListScreen or MendedDetailScreen live",
                    "4 tokens for databaseChanged removed, none in force",
                ],
                code: """
                    hub.observe(
                        owner: self,
                        onMainActor: { [weak self] _ in body(self) })
                    detail.observe(hub) { $0?.reload() }?
                        .keep(for: detail)
                    """),
        ]
    ) { form, stage in
        let database = try NotesDatabase.temporary()
        // The hub is a singleton of the program, so it outlives its screens. Here it lives until the run ends.
        let hub = ReloadHub(event: "databaseChanged", policy: .replaceByOwner, delivery: .asynchronous(.main))
        stage.note("opened an SQLite file and installed an update hook")
        switch form {
        case .leaking:
            try appendAlways(database, stage)
            try keepFirst(database, stage)
            try holdStrongly(database, stage)
        case .mended:
            try await replaceByOwner(database, hub, stage)
        }
        database.close()
        stage.note("closed and removed the file")
        await stage.waitForVerdicts()
        if form == .mended { stage.note("at the end: \(hub.count.of("token")) in force") }
    }

    /// Plays the first design: every visit adds a closure.
    @MainActor
    private static func appendAlways(_ database: NotesDatabase, _ stage: Stage) throws {
        let hub = ReloadHubs.make(event: "databaseChanged.append", policy: .append)
        try stage.registry.setTokenThreshold(2, event: hub.event, ownerType: DetailScreen.self)
        var reloads: [String] = []
        try visit(3, database, hub, stage) { screen in
            screen.observe(hub) { $0?.reload() }?.keep()
        } afterChange: { _, calls in
            reloads.append("\(calls)")
        }
        stage.note("append always: one change called \(reloads.joined(separator: ", then ")) closures")
    }

    /// Plays the second design: the hub refuses a second closure of the same owner type.
    @MainActor
    private static func keepFirst(_ database: NotesDatabase, _ stage: Stage) throws {
        let hub = ReloadHubs.make(event: "databaseChanged.keepFirst", policy: .keepFirst)
        var reloads: [String] = []
        try visit(2, database, hub, stage) { screen in
            screen.observe(hub) { $0?.reload() }?.keep()
        } afterChange: { screen, _ in
            reloads.append(screen.reloads.of("time"))
        }
        stage.note("keep the first: the screen of each visit reloaded \(reloads.joined(separator: ", then "))")
    }

    /// Plays the third design: the closure holds its screen.
    @MainActor
    private static func holdStrongly(_ database: NotesDatabase, _ stage: Stage) throws {
        let hub = ReloadHubs.make(event: "databaseChanged.strongSelf", policy: .replaceByOwner)
        try visit(1, database, hub, stage) { screen in
            hub.observe(owner: screen, onMainActor: { _ in screen.reload() })?.keep()
        } afterChange: { _, _ in
        }
        stage.note("strong self: the screen was popped, but its closure still holds the screen")
    }

    /// Visits the detail screen `times` times, and changes the database once per visit.
    @MainActor
    private static func visit(
        _ times: Int, _ database: NotesDatabase, _ hub: ReloadHub, _ stage: Stage,
        observe: (DetailScreen) -> Void, afterChange: (DetailScreen, _ calls: Int) -> Void
    ) throws {
        let navigation = NavigationStack()
        navigation.push(ListScreen())
        var calls = 0
        database.didChange = { change in
            calls = hub.count
            hub.send(change)
        }
        for _ in 0..<times {
            let detail = DetailScreen()
            navigation.push(detail)
            observe(detail)
            try database.insert(title: "Milk")
            afterChange(detail, calls)
            navigation.pop()
        }
    }

    /// Plays the last design, which does not leak.
    @MainActor
    private static func replaceByOwner(_ database: NotesDatabase, _ hub: ReloadHub, _ stage: Stage) async throws {
        database.didChange = { hub.send($0) }
        let navigation = NavigationStack()
        let list = MendedListScreen()
        navigation.push(list)
        list.observe(hub) { $0?.reload() }?.keep(for: list)
        for visit in 1...3 {
            let detail = MendedDetailScreen()
            navigation.push(detail)
            detail.observe(hub) { $0?.reload() }?.keep(for: detail)
            try database.insert(title: "Milk")
            await mainQueueIsThrough()
            let rows = try database.count()
            stage.note(
                "visit \(visit), \(rows.of("row")): the list has reloaded \(list.reloads.of("time")), "
                    + "the detail \(detail.reloads.of("time")), \(hub.count.of("token")) in force")
            navigation.pop()
        }
    }

    /// Returns after the main queue has executed all blocks that are enqueued now.
    private static func mainQueueIsThrough() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }
}

private typealias ReloadHub = ObserverHub<DatabaseChange>

/// The hubs of the designs that leak.
///
/// Each hub is a singleton of its program. Each run stands for a program of its own, so each run creates its own hubs.
@MainActor
private enum ReloadHubs {
    private static var singletons: [ReloadHub] = []

    static func make(event: String, policy: ReloadHub.Policy) -> ReloadHub {
        let hub = ReloadHub(event: event, policy: policy)
        singletons.append(hub)
        return hub
    }
}

/// A screen that shows the contents of the database.
@MainActor
private class ReloadingScreen: Screen {
    private(set) var reloads = 0

    func reload() {
        reloads += 1
    }
}

extension ReloadingScreen {
    /// Registers a closure that holds this screen weakly.
    fileprivate func observe(
        _ hub: ReloadHub, _ body: @escaping @MainActor @Sendable (ReloadingScreen?) -> Void
    ) -> ObserverToken? {
        hub.observe(owner: self, onMainActor: { [weak self] _ in body(self) })
    }
}

private final class ListScreen: ReloadingScreen {}
private final class DetailScreen: ReloadingScreen {}
private final class MendedListScreen: ReloadingScreen {}
private final class MendedDetailScreen: ReloadingScreen {}
