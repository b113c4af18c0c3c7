import LifetimeTracer
import TracerBase

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

    /// Writes the same as the fields, without a copy of the file's name.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("file", SiteFile(site.file))
            writer.member("line", site.line)
        }
    }
}

/// A file's name as a literal of the program.
private struct SiteFile: JSONWritable {
    private let name: StaticString

    init(_ name: StaticString) {
        self.name = name
    }

    func write(to writer: inout JSONWriter) {
        // A literal of a single character has no address.
        guard name.hasPointerRepresentation else { return writer.text(name.description) }
        name.withUTF8Buffer { writer.text($0) }
    }
}
