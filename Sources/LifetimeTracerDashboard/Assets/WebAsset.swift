import CWebAssets
import LifetimeTracer

/// A file of the page, in the executable's read-only data.
struct WebAsset: Sendable {
    /// The request path of the file.
    let path: String
    /// The value of `Content-Type` for the file.
    let contentType: String
    /// The content of the file.
    let bytes: ImmortalBytes
    /// The entity tag in quotes: a hash of the bytes and their number.
    let entityTag: String

    /// All files of the page, sorted by path.
    static let all: [WebAsset] = (0..<lt_web_asset_count()).compactMap { lt_web_asset_at($0) }.map {
        WebAsset($0.pointee)
    }

    private init(_ asset: lt_web_asset) {
        path = String(cString: asset.path)
        contentType = String(cString: asset.content_type)
        // The region is valid and unchanged until the process ends: CWebAssets.h guarantees it.
        let buffer = UnsafeRawBufferPointer(start: asset.bytes, count: asset.size)
        bytes = ImmortalBytes(buffer)
        entityTag = "\"\(String(StableHash.of(buffer), radix: 16))-\(String(buffer.count, radix: 16))\""
    }
}
