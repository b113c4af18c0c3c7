import LifetimeTracer
import TracerBase

/// A type whose values are written as JSON and that has a schema.
///
/// Every value fits the schema.
package protocol JSONDescribed: JSONWritable {
    /// The JSON schema of the type.
    static var schema: JSONSchema { get }
}

extension String: JSONDescribed {
    package static var schema: JSONSchema { .string() }
}

extension Bool: JSONDescribed {
    package static var schema: JSONSchema { .boolean }
}

extension JSONDescribed where Self: FixedWidthInteger {
    package static var schema: JSONSchema { isSigned ? .integer : .integer(0...) }
}

extension Int: JSONDescribed {
    /// A count: no integer of the API is negative.
    package static var schema: JSONSchema { .integer(0...) }
}
extension Int32: JSONDescribed {}
extension Int64: JSONDescribed {}
extension UInt32: JSONDescribed {}
extension UInt64: JSONDescribed {}

extension Optional: JSONDescribed where Wrapped: JSONDescribed {
    package static var schema: JSONSchema { Wrapped.schema.orNull }
}

extension Array: JSONDescribed where Element: JSONDescribed {
    package static var schema: JSONSchema { .array(of: Element.schema) }
}

extension Timestamp: JSONDescribed {
    package static let schema = JSONSchema.string(format: "date-time")
}

extension DecimalNumber: JSONDescribed {
    static var schema: JSONSchema { .number }
}

/// An enumeration that is written as its raw value.
package protocol JSONChoice: JSONDescribed, RawRepresentable<String>, CaseIterable {}

extension JSONChoice {
    package static var schema: JSONSchema { .choice(allCases.map(\.rawValue)) }
}
