import LifetimeTracer

/// A place in source code as it is sent.
struct WireSite: JSONWritable {
    private let site: SourceSite

    init(_ site: SourceSite) {
        self.site = site
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("file", site.file.description)
            writer.field("line", site.line)
        }
    }
}
