import CWebAssets
import LifetimeTracer

/// A part of the page, in the executable's read-only data.
struct WebAsset: Sendable {
    /// The path under which it is served.
    let path: String
    /// The value of its `Content-Type`.
    let contentType: String
    /// Its bytes.
    let bytes: ImmortalBytes
    /// The name of exactly these bytes, in quotes as HTTP wants it.
    let entityTag: String

    /// All parts, in the order of their paths.
    static let all: [WebAsset] = (0..<web_asset_count()).compactMap { web_asset_at($0) }.map { WebAsset($0.pointee) }

    private init(_ asset: web_asset) {
        path = String(cString: asset.path)
        contentType = String(cString: asset.content_type)
        // Valid and unchanged until the process ends: CWebAssets.h promises it.
        let buffer = UnsafeRawBufferPointer(start: asset.bytes, count: asset.size)
        bytes = ImmortalBytes(buffer)
        entityTag = "\"\(String(StableHash.of(buffer), radix: 16))-\(String(buffer.count, radix: 16))\""
    }
}
