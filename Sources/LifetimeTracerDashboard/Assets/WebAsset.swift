import CWebAssets
import LifetimeTracer

/// A file of the page, in memory.
struct WebAsset: Sendable {
    /// The request path of the file.
    let path: String
    /// The value of `Content-Type` for the file.
    let contentType: String

    /// The bytes of a file.
    struct Content: Sendable {
        let bytes: ImmortalBytes
        /// The entity tag in quotes: a hash of the bytes and their number.
        let entityTag: String

        init(_ content: UnsafeRawBufferPointer) {
            bytes = ImmortalBytes(content)
            entityTag = "\"\(String(StableHash.of(content), radix: 16))-\(String(content.count, radix: 16))\""
        }

        init(_ text: String) {
            // The memory is never freed, so the region is valid until the process ends.
            let content = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
            content.copyBytes(from: text.utf8)
            self.init(UnsafeRawBufferPointer(content))
        }
    }

    /// The content of the file.
    var content: Content {
        guard let content = Self.contents[path] else { preconditionFailure("\(path) is no file of the page") }
        return content
    }

    /// All files of the page: those of the executable's read-only data, with all modules in one script.
    static let all =
        embedded
        .map { WebAsset(path: String(cString: $0.path), contentType: String(cString: $0.content_type)) }
        .filter { !$0.path.hasSuffix(".js") || $0.path == script }

    /// The script that contains all modules.
    private static let script = "/app.js"

    /// Made at the first request, because joining the modules takes longer than the rest of the start of a server.
    private static let contents: [String: Content] = {
        var contents: [String: Content] = [:]
        var modules: [String: String] = [:]
        for file in embedded {
            let path = String(cString: file.path)
            // The region is valid and unchanged until the process ends: CWebAssets.h guarantees it.
            let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.size)
            if path.hasSuffix(".js") {
                modules[String(path.dropFirst())] = String(decoding: bytes, as: UTF8.self)
            } else {
                contents[path] = Content(bytes)
            }
        }
        contents[script] = Content(ModuleBundle(of: String(script.dropFirst()), from: modules).text)
        return contents
    }()

    private static var embedded: [lt_web_asset] {
        (0..<lt_web_asset_count()).compactMap { lt_web_asset_at($0)?.pointee }
    }
}
