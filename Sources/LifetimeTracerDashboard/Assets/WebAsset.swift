import CWebAssets
import LifetimeTracer

/// A file of the page, in memory.
struct WebAsset: Sendable {
    /// The request path of the file.
    let path: String
    /// The value of `Content-Type` for the file.
    let contentType: String
    /// The content of the file.
    let bytes: ImmortalBytes
    /// The entity tag in quotes: a hash of the bytes and their number.
    let entityTag: String

    /// All files of the page: those of the executable's read-only data, with all modules in one script.
    static let all: [WebAsset] = {
        let embedded = (0..<lt_web_asset_count()).compactMap { lt_web_asset_at($0)?.pointee }.map(WebAsset.init)
        let script = "/app.js"
        let modules = embedded.filter { $0.path.hasSuffix(".js") }
        let texts = modules.map { (String($0.path.dropFirst()), String(decoding: $0.bytes.buffer, as: UTF8.self)) }
        let bundle = ModuleBundle(of: String(script.dropFirst()), from: Dictionary(uniqueKeysWithValues: texts))
        return embedded.filter { !$0.path.hasSuffix(".js") }
            + modules.filter { $0.path == script }.map { $0.with(bundle.text) }
    }()

    private init(_ asset: lt_web_asset) {
        // The region is valid and unchanged until the process ends: CWebAssets.h guarantees it.
        self.init(
            path: String(cString: asset.path), contentType: String(cString: asset.content_type),
            content: UnsafeRawBufferPointer(start: asset.bytes, count: asset.size))
    }

    private init(path: String, contentType: String, content: UnsafeRawBufferPointer) {
        self.path = path
        self.contentType = contentType
        bytes = ImmortalBytes(content)
        entityTag = "\"\(String(StableHash.of(content), radix: 16))-\(String(content.count, radix: 16))\""
    }

    /// Returns the file with this text as its content.
    private func with(_ text: String) -> WebAsset {
        // The memory is never freed, so the region is valid until the process ends.
        let content = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        content.copyBytes(from: text.utf8)
        return WebAsset(path: path, contentType: contentType, content: UnsafeRawBufferPointer(content))
    }
}
