import Foundation

@testable import LifetimeTracerDashboard

/// A typed JSON value, read by Foundation's parser.
enum JSONValue: Decodable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let fields) = self { fields[key] } else { nil }
    }

    var keys: [String] { if case .object(let fields) = self { fields.keys.sorted() } else { [] } }
    var elements: [JSONValue] { if case .array(let values) = self { values } else { [] } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var int: Int? { if case .integer(let number) = self { number } else { nil } }

    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The value at a JSON pointer such as `/instances/0/id`.
    func at(_ pointer: some StringProtocol) -> JSONValue? {
        pointer.split(separator: "/").reduce(self as JSONValue?) { value, part in
            let key = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
            if let position = Int(key), case .array(let values)? = value {
                return values.indices.contains(position) ? values[position] : nil
            }
            return value?[key]
        }
    }
}
