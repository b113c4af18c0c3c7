import LifetimeTracer

/// A place in source code as it is sent.
struct WireSite: JSONObject {
    private let site: SourceSite

    init(_ site: SourceSite) {
        self.site = site
    }

    static let fields = Field.list {
        Field("file") { $0.site.file.description }
        Field("line") { $0.site.line }
    }
}
