/// A binary heap with its smallest element first.
struct MinimumHeap<Element: Comparable & Sendable>: Sendable {
    private var storage: [Element] = []

    init() {}

    init(_ elements: some Sequence<Element>) {
        // A sorted array is a heap.
        storage = elements.sorted()
    }

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
        var parent = 0
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
