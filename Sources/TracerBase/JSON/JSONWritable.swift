/// A type whose values can be written as JSON.
@usableFromInline
package protocol JSONWritable: Sendable {
    /// Writes the value as exactly one JSON value.
    func write(to writer: inout JSONWriter)
}

extension JSONWritable {
    /// The value as a JSON text.
    @inlinable
    package var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension String: JSONWritable {
    @inlinable
    package func write(to writer: inout JSONWriter) { writer.text(self) }
}

extension Bool: JSONWritable {
    @inlinable
    package func write(to writer: inout JSONWriter) { writer.literal(self ? "true" : "false") }
}

extension JSONWritable where Self: RawRepresentable<String> {
    @inlinable
    package func write(to writer: inout JSONWriter) { writer.text(rawValue) }
}

extension JSONWritable where Self: FixedWidthInteger {
    @inlinable
    package func write(to writer: inout JSONWriter) {
        // A 64-bit integer has at most 20 digits, or 19 and a sign.
        writer.number(atMost: 20) { place in
            guard self < 0 else { return place.writeDecimal(UInt64(magnitude)) }
            place.pointee = UInt8(ascii: "-")
            return 1 + (place + 1).writeDecimal(UInt64(magnitude))
        }
    }
}

extension Int: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    @inlinable
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.literal("null") }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    @inlinable
    package func write(to writer: inout JSONWriter) {
        writer.elements { writer in
            // Iterates over the buffer, which avoids copying each element.
            withUnsafeBufferPointer { elements in
                for position in elements.indices { elements[position].write(to: &writer) }
            }
        }
    }
}
