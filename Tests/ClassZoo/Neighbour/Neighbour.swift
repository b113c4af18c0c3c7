// Classes of another module, for the zoo: superclasses, generic classes, and classes that only this module creates.

/// A superclass.
open class NeighbourBase {
    /// A field.
    public var number = 1
    /// Creates an object.
    public init() {}
}

/// A class without subclasses.
public final class NeighbourFinal {
    /// A field.
    public let text: String
    /// Creates an object.
    public init(_ text: String) { self.text = text }
}

/// A generic superclass.
open class NeighbourGeneric<Value> {
    /// A field.
    public var value: Value
    /// Creates an object.
    public init(_ value: Value) { self.value = value }
}

/// Can be inlined and specialised in the program.
@usableFromInline final class NeighbourInlined {
    @usableFromInline var number: Int
    @inlinable init(_ number: Int) { self.number = number }
}

/// Creates an object in code of the program.
@inlinable public func makeNeighbourInlined(_ number: Int) -> AnyObject { NeighbourInlined(number) }

final class NeighbourHidden {
    let numbers: [Int]
    init(_ count: Int) { numbers = Array(0..<count) }
}

/// Creates an object of a class that the program cannot name.
public func makeNeighbourHidden(_ count: Int) -> AnyObject { NeighbourHidden(count) }

/// A superclass of buffers.
open class NeighbourBuffer<Element>: ManagedBuffer<Int, Element> {}

/// Creates a buffer in code of the program, or in this module's unspecialised code.
@inlinable public func makeNeighbourPointer<Element>(_ type: AnyClass, _ first: Element) -> AnyObject {
    let pointer = ManagedBufferPointer<Int, Element>(bufferClass: type, minimumCapacity: 3) { _, _ in 0 }
    return pointer.buffer
}
