import ClassZooNeighbour

/// Objects that are longer than their classes say: those of ManagedBuffer's subclasses and of ManagedBufferPointer.
enum Tails {
    static func visitAll() {
        managedBuffers()
        pointers()
    }

    private static func managedBuffers() {
        visit("Buffer") { Buffer.create(minimumCapacity: $0 * 100) { $0.capacity } }
        visit("LargeBuffer") { LargeBuffer.create(minimumCapacity: 100_000 + $0) { $0.capacity } }
        visit("BufferBase") { BufferBase.create(minimumCapacity: $0) { _ in 0 } }
        visit("BufferLeaf") { BufferLeaf.create(minimumCapacity: $0) { _ in 0 } }
        visit("GenericBuffer<Swift.UInt8>") { GenericBuffer<UInt8>.create(minimumCapacity: $0) { _ in 0 } }
        visit("GenericBuffer<Swift.String>") { makeGeneric("\($0)") }
        visit("FromNeighbourBuffer") { FromNeighbourBuffer.create(minimumCapacity: $0) { _ in 0 } }
        visit("ObjectBuffer") { number in
            let it = ObjectBuffer.create(minimumCapacity: 3) { _ in min(number, 3) }
            it.withUnsafeMutablePointerToElements {
                for place in 0..<number where place < 3 { ($0 + place).initialize(to: Plain()) }
            }
            return it
        }
    }

    private static func pointers() {
        visit("PointerBuffer") { number in
            let pointer = ManagedBufferPointer<Int, Int>(bufferClass: PointerBuffer.self, minimumCapacity: number) {
                _, _ in number
            }
            return pointer.buffer
        }
        visit("PointerBufferLeaf") { makeNeighbourPointer(PointerBufferLeaf.self, $0) }
        visit("PointerBufferOfWords") { makeNeighbourPointer(PointerBufferOfWords.self, "\($0)") }
        // Another value of the type, for an existing object, creates none.
        visit("RewrappedBuffer") { number in
            let pointer = ManagedBufferPointer<Int, Int>(bufferClass: RewrappedBuffer.self, minimumCapacity: number) {
                _, _ in number
            }
            return ManagedBufferPointer<Int, Int>(unsafeBufferObject: pointer.buffer).buffer
        }
    }

    /// Not specialised, so that the standard library's own code allocates.
    @inline(never) @_optimize(none) private static func makeGeneric<Element>(_ element: Element) -> AnyObject {
        GenericBuffer<Element>.create(minimumCapacity: 2) { _ in 0 }
    }
}

final class Buffer: ManagedBuffer<Int, Int> {}
/// malloc maps memory of its own for each of these.
final class LargeBuffer: ManagedBuffer<Int, Int> {}
class BufferBase: ManagedBuffer<Int, UInt16> {}
final class BufferLeaf: BufferBase {}
final class GenericBuffer<Element>: ManagedBuffer<Int, Element> {}
final class FromNeighbourBuffer: NeighbourBuffer<Int> {}
final class ObjectBuffer: ManagedBuffer<Int, Plain> {
    deinit { _ = withUnsafeMutablePointers { count, elements in elements.deinitialize(count: count.pointee) } }
}
class PointerBuffer {}
final class PointerBufferLeaf: PointerBuffer {}
final class PointerBufferOfWords {}
final class RewrappedBuffer {}
