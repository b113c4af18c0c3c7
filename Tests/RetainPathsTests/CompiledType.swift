import LifetimeTracer

@testable import RetainPaths

/// A class, struct or enum of the test program, from the compiler's records.
struct CompiledType {
    let descriptor: ContextDescriptor
    let fields: FieldDescriptor

    /// All types of the program that have such a record.
    static func all() -> [CompiledType] {
        var all: [CompiledType] = []
        for section in LoadedSections.named("swift5_fieldmd") {
            var place = section.lowerBound
            // The records are contiguous.
            while place + 16 <= section.upperBound, let pointer = UnsafeRawPointer(bitPattern: place) {
                let fields = FieldDescriptor(pointer)
                if let descriptor = type(of: pointer) {
                    all.append(CompiledType(descriptor: descriptor, fields: fields))
                }
                place += 16 + UInt(fields.count) * UInt(pointer.read(10, as: UInt16.self))
            }
        }
        return all
    }

    /// The type that a record describes.
    ///
    /// The record's name is a direct or indirect reference to the type.
    private static func type(of record: UnsafeRawPointer) -> ContextDescriptor? {
        guard let name = record.relative(0) else { return nil }
        switch name.read(0, as: UInt8.self) {
        case 0x01: return name.relative(1).map(ContextDescriptor.init)
        case 0x02: return name.relative(1)?.pointer(0).map(ContextDescriptor.init)
        default: return nil
        }
    }
}
