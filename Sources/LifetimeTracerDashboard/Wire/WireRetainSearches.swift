import LifetimeTracer
import RetainPaths

/// The wire type of the state of all searches for retain paths.
struct WireRetainSearches: JSONObject {
    private let overview: RetainSearches.Overview
    private let running: WireRunningSearch?

    init(_ overview: RetainSearches.Overview, _ clock: WireClock) {
        self.overview = overview
        running = overview.running.map { running in
            WireRunningSearch(
                instances: running.instances, progress: running.progress,
                startedAt: clock.timestamp(running.startedAt), age: clock.age(running.startedAt))
        }
    }

    static let fields = Field.list {
        Field("running") { $0.running }
        Field("waiting", as: .integer(0...)) { $0.overview.waiting }
        Field("limit", as: .integer(0...)) { _ in RetainSearches.jobLimit }
        Field("dropped") { $0.overview.dropped }
    }
}

/// The wire type of the running search.
private struct WireRunningSearch: JSONObject {
    let instances: Int
    let progress: RetainPaths.Progress?
    let startedAt: Timestamp
    let age: DecimalNumber

    static let fields = Field.list {
        Field("instances", as: .integer(0...)) { $0.instances }
        Field("progress") { $0.progress }
        Field("startedAt") { $0.startedAt }
        Field("ageSeconds") { $0.age }
    }
}

/// The wire type of the response to a request for several instances.
struct WireStartedSearch: JSONObject {
    /// The instances that are being searched for.
    let asked: [InstanceID]
    /// The requested instances that are not live.
    let missing: [InstanceID]
    let searches: WireRetainSearches

    static let fields = Field.list {
        Field("asked") { $0.asked }
        Field("missing") { $0.missing }
        Field("searches") { $0.searches }
    }
}

/// The wire type of a page of search results.
struct WireRetainPathList: JSONObject {
    let page: Page<WireRetainPath>
    let searches: WireRetainSearches

    static let fields = Field.list {
        Field.page { $0.page }
        Field("searches") { $0.searches }
        Field("retainPaths") { $0.page.entries }
    }
}
