/// The header of a deque's buffer: capacity, count and the position of the first element.
struct DequeBufferHeader {
    var capacity: Int
    var count: Int
    var startSlot: Int
}

/// The elements of a deque: a ring buffer in which only some places are in use.
final class DequeBuffer<Element>: ManagedBuffer<DequeBufferHeader, Element> {
    static func make(capacity: Int) -> DequeBuffer {
        let made = create(minimumCapacity: capacity) { _ in
            DequeBufferHeader(capacity: capacity, count: 0, startSlot: 0)
        }
        return unsafeDowncast(made, to: DequeBuffer.self)
    }

    deinit {
        withUnsafeMutablePointers { header, elements in
            for index in 0..<header.pointee.count {
                (elements + (header.pointee.startSlot + index) % header.pointee.capacity).deinitialize(count: 1)
            }
        }
    }
}

/// A double-ended queue like those of collection packages.
public struct Deque<Element> {
    private var buffer: DequeBuffer<Element>

    /// Creates an empty queue.
    public init(capacity: Int = 8) { buffer = DequeBuffer.make(capacity: capacity) }

    /// Adds an element at the end.
    ///
    /// The queue must not be full.
    public mutating func append(_ element: Element) {
        buffer.withUnsafeMutablePointers { header, elements in
            precondition(header.pointee.count < header.pointee.capacity, "the queue is full")
            let slot = (header.pointee.startSlot + header.pointee.count) % header.pointee.capacity
            (elements + slot).initialize(to: element)
            header.pointee.count += 1
        }
    }

    /// Removes the first element; its bytes stay in the buffer.
    public mutating func popFirst() -> Element? {
        buffer.withUnsafeMutablePointers { header, elements in
            guard header.pointee.count > 0 else { return nil }
            let slot = header.pointee.startSlot
            header.pointee.startSlot = (slot + 1) % header.pointee.capacity
            header.pointee.count -= 1
            return (elements + slot).move()
        }
    }
}

/// The header of a trie node's buffer.
struct SlabHeader {
    var count: Int
}

/// Contiguous elements, of which only the first `header` are in use.
public final class Slab<Element>: ManagedBuffer<Int, Element> {
    /// Creates a slab with a capacity.
    public static func make(capacity: Int) -> Slab {
        unsafeDowncast(create(minimumCapacity: capacity) { _ in 0 }, to: Slab.self)
    }

    deinit { withUnsafeMutablePointers { count, elements in _ = elements.deinitialize(count: count.pointee) } }

    /// Adds an element.
    public func append(_ element: Element) {
        withUnsafeMutablePointers { count, elements in
            (elements + count.pointee).initialize(to: element)
            count.pointee += 1
        }
    }

    /// Removes the last element; its bytes stay in the buffer.
    public func popLast() -> Element? {
        withUnsafeMutablePointers { count, elements in
            guard count.pointee > 0 else { return nil }
            count.pointee -= 1
            return (elements + count.pointee).move()
        }
    }
}

/// A trie node with items in a managed buffer.
public final class HashNode<Key, Value> {
    private let buffer: ManagedBuffer<SlabHeader, (Key, Value)>

    /// Creates a node with room for some items.
    public init(capacity: Int) {
        buffer = ManagedBuffer<SlabHeader, (Key, Value)>.create(minimumCapacity: capacity) { _ in SlabHeader(count: 0) }
    }

    deinit { buffer.withUnsafeMutablePointers { header, items in _ = items.deinitialize(count: header.pointee.count) } }

    /// Adds an item.
    public func insert(_ key: Key, _ value: Value) {
        buffer.withUnsafeMutablePointers { header, items in
            (items + header.pointee.count).initialize(to: (key, value))
            header.pointee.count += 1
        }
    }

    /// Removes the last item; its bytes stay in the buffer.
    public func removeLast() -> Value? {
        buffer.withUnsafeMutablePointers { header, items in
            guard header.pointee.count > 0 else { return nil }
            header.pointee.count -= 1
            return (items + header.pointee.count).move().1
        }
    }
}
