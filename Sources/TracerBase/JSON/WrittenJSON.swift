/// A value as the JSON text that it was written as once, because it never changes.
package struct WrittenJSON: JSONWritable {
    private let bytes: [UInt8]

    /// Writes a value.
    package init(_ value: some JSONWritable) {
        bytes = value.jsonBytes
    }

    @usableFromInline
    package func write(to writer: inout JSONWriter) {
        bytes.withUnsafeBufferPointer { writer.raw($0) }
    }
}
