/// The header of every node of a hash tree, whatever the types of its items.
struct HashNodeHeader {
    /// The digits of a hash for which the node has an item.
    var itemMap: UInt32 = 0
    /// The digits of a hash for which the node has a child.
    var childMap: UInt32 = 0
    var byteCapacity: UInt32 = 0
}

/// A child of a node.
///
/// Its storage is a `HashNodeStorage`.
struct RawHashNode {
    let storage: ManagedBuffer<HashNodeHeader, RawHashNode>
    let count: Int
}

/// A node of a hash tree: children at the start of its memory, and items at the end.
///
/// The type of its buffer mentions neither keys nor values, as in collection packages.
final class HashNodeStorage<Key: Hashable, Value>: ManagedBuffer<HashNodeHeader, RawHashNode> {
    static func make() -> HashNodeStorage {
        let places = 24
        let made = create(minimumCapacity: places) { _ in
            HashNodeHeader(byteCapacity: UInt32(places * MemoryLayout<RawHashNode>.stride))
        }
        return unsafeDowncast(made, to: HashNodeStorage.self)
    }

    deinit {
        withUnsafeMutablePointers { header, children in
            _ = children.deinitialize(count: header.pointee.childMap.nonzeroBitCount)
        }
        let items = header.itemMap.nonzeroBitCount
        (end - items).deinitialize(count: items)
    }

    /// The end of the memory for items.
    private var end: UnsafeMutablePointer<(key: Key, value: Value)> {
        withUnsafeMutablePointers { header, places in
            (UnsafeMutableRawPointer(places) + Int(header.pointee.byteCapacity))
                .assumingMemoryBound(to: (key: Key, value: Value).self)
        }
    }

    /// Adds an item in front of the others.
    func add(_ key: Key, _ value: Value) {
        (end - header.itemMap.nonzeroBitCount - 1).initialize(to: (key, value))
        header.itemMap = header.itemMap << 1 | 1
    }

    /// Removes the last item; its bytes stay in the memory.
    func removeLast() -> Value? {
        guard header.itemMap != 0 else { return nil }
        let last = end - header.itemMap.nonzeroBitCount
        header.itemMap >>= 1
        return last.move().value
    }

    /// Adds a child behind the others.
    func add(_ child: HashNodeStorage) {
        withUnsafeMutablePointers { header, places in
            (places + header.pointee.childMap.nonzeroBitCount).initialize(to: RawHashNode(storage: child, count: 1))
            // No digit has both an item and a child.
            header.pointee.childMap = header.pointee.childMap << 1 | 0x10000
        }
    }
}

/// A persistent dictionary like those of collection packages.
///
/// The stand-in does not hash: it has one node on each level.
public struct TreeDictionary<Key: Hashable, Value> {
    private let root = RawHashNode(storage: HashNodeStorage<Key, Value>.make(), count: 0)

    /// Creates an empty dictionary.
    public init() {}

    private var deepest: HashNodeStorage<Key, Value> {
        var node = root.storage
        while node.header.childMap != 0 {
            node = node.withUnsafeMutablePointerToElements { $0.pointee.storage }
        }
        // The tree consists of nodes of this class alone.
        return unsafeDowncast(node, to: HashNodeStorage<Key, Value>.self)
    }

    /// Adds an item to the deepest node.
    public mutating func add(_ value: Value, for key: Key) { deepest.add(key, value) }

    /// Removes the last item from the deepest node.
    public mutating func removeLast() -> Value? { deepest.removeLast() }

    /// Adds a node below the deepest one.
    public mutating func addLevel() { deepest.add(HashNodeStorage<Key, Value>.make()) }
}

/// Bytes in which a class stores values of its own choice.
public final class ByteStore<Element>: ManagedBuffer<Int, UInt8> {
    /// Creates an empty store for one element.
    public static func make() -> ByteStore {
        unsafeDowncast(create(minimumCapacity: 4 * MemoryLayout<Element>.stride) { _ in 0 }, to: ByteStore.self)
    }

    deinit { _ = take() }

    private var place: UnsafeMutablePointer<Element> {
        withUnsafeMutablePointerToElements { bytes in
            UnsafeMutableRawPointer(bytes).alignedUp(for: Element.self).assumingMemoryBound(to: Element.self)
        }
    }

    /// Stores the element; the store must be empty.
    public func put(_ element: Element) {
        place.initialize(to: element)
        header = 1
    }

    /// Removes the element.
    public func take() -> Element? {
        guard header == 1 else { return nil }
        header = 0
        return place.move()
    }
}
