import Foundation
import Testing

@testable import LifetimeTracerDashboard

/// A JSON value, read by Foundation's parser.
struct JSON {
    let value: Any

    init(_ value: Any) {
        self.value = value
    }

    init(_ response: HTTPResponse) throws {
        value = try JSONSerialization.jsonObject(with: Data(response.bytes))
    }

    subscript(key: String) -> JSON { JSON((value as? [String: Any])?[key] ?? Missing()) }
    subscript(index: Int) -> JSON {
        let array = array
        return array.indices.contains(index) ? array[index] : JSON(Missing())
    }

    var array: [JSON] { (value as? [Any] ?? []).map(JSON.init) }
    var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
    var string: String? { value as? String }
    var int: Int? { (value as? NSNumber)?.intValue }
    var double: Double? { (value as? NSNumber)?.doubleValue }
    var bool: Bool? { value as? Bool }
    var isNull: Bool { value is NSNull }

    private struct Missing {}
}

extension HTTPResponse {
    /// The bytes of the body; empty for a stream.
    var bytes: [UInt8] {
        switch body {
        case .bytes(let bytes): bytes
        case .immortal(let bytes): Array(bytes.buffer)
        case .stream: []
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The error code in the body.
    var errorCode: String? { (try? JSON(self))?["error"]["code"].string }
    var errorHint: String { (try? JSON(self))?["error"]["hint"].string ?? "" }
    var errorMessage: String { (try? JSON(self))?["error"]["message"].string ?? "" }
}
