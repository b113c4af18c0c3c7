import LifetimeTracer

/// The wire type of a place in source code.
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
