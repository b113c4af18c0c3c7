/// A bounded buffer of the last elements of a sequence, which counts the elements it has dropped.
struct Ring<Element: Sendable>: LockedState {
    /// The most elements that are kept.
    let limit: Int
    /// The number of dropped elements.
    private(set) var dropped = 0

    private var storage: [Element] = []
    // The position of the oldest element once the storage is full.
    private var head = 0

    init(limit: Int) {
        precondition(limit > 0, "the limit of a ring must be at least 1")
        self.limit = limit
    }

    var count: Int { storage.count }

    /// The elements, oldest first.
    var elements: [Element] { Array(storage[head...] + storage[..<head]) }

    /// The newest element.
    var newest: Element? { head > 0 ? storage[head - 1] : storage.last }

    /// The element that the next one drops; `nil` while there is room.
    var leaving: Element? { storage.count == limit ? storage[head] : nil }

    mutating func append(_ element: Element) {
        guard storage.count == limit else {
            storage.append(element)
            return
        }
        storage[head] = element
        head = (head + 1) % limit
        dropped += 1
    }

    /// Returns the newest element that satisfies the predicate.
    func last(where matches: (Element) -> Bool) -> Element? {
        storage[..<head].last(where: matches) ?? storage[head...].last(where: matches)
    }
}
