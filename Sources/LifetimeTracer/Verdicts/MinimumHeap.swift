/// A binary heap with its smallest element first.
struct MinimumHeap<Element: Comparable & Sendable>: Sendable {
    private var storage: [Element] = []

    init() {}

    var count: Int { storage.count }
    var first: Element? { storage.first }

    mutating func insert(_ element: Element) {
        storage.append(element)
        var child = storage.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard storage[child] < storage[parent] else { break }
            storage.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        storage.swapAt(0, storage.count - 1)
        storage.removeLast()
        sink(0)
    }

    /// Removes the elements that satisfy a predicate, in a time that is proportional to the number of elements.
    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        storage.removeAll(where: isRemoved)
        // Floyd's construction: each subtree is a heap before its root sinks.
        for parent in stride(from: storage.count / 2 - 1, through: 0, by: -1) { sink(parent) }
    }

    /// Moves an element down until both of its children are greater.
    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < storage.count && storage[child] < storage[smallest] {
                smallest = child
            }
            guard smallest != parent else { return }
            storage.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
