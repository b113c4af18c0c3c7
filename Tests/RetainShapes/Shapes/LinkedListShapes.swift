/// Elements of linked lists.
///
/// A list holds its elements by their neighbours, and a collection may hold some of them, too.
@MainActor package enum LinkedListShapes {
    package static let recent = RecentScreens(capacity: 2)
    package static var first: Entry?

    static let all = [evicted, queued, ownLink]

    private static let evicted = Shape(
        "entry that was removed from a dictionary, but not from the list of its entries",
        .held(.global("LinkedListShapes.recent"), .through("entries"), .through("next"), .through("screen"))
            .giving("Entry .next").hinting(.growingContainer, "Unlink Entry when DetailScreen is no longer needed")
    ) {
        let screen = DetailScreen()
        recent.add(1, screen)
        for number in 2...4 { recent.add(number, Screen()) }
        return Planted(screen) { recent.removeAll() }
    }

    private static let queued = Shape(
        "entry at the end of a list",
        .held(.global("LinkedListShapes.first"), .through("next"), .through("screen")).giving("Entry .next")
    ) {
        let screen = DetailScreen()
        let second = Entry(2, Screen(), next: Entry(3, screen, next: nil))
        first = Entry(1, Screen(), next: second)
        return Planted(screen) { first = nil }
    }

    private static let ownLink = Shape(
        "object in a list of such objects",
        .held(.global("LinkedListShapes.first"), .through("screen"), .through("next")).giving("DetailScreen .next")
            .hinting(.growingContainer, "Unlink DetailScreen when it is no longer needed")
    ) {
        let screen = DetailScreen()
        let before = DetailScreen()
        before.next = screen
        first = Entry(1, before, next: nil)
        return Planted(screen) { first = nil }
    }
}

/// An element of a list of screens.
package final class Entry {
    let number: Int
    let screen: Screen
    var next: Entry?
    weak var previous: Entry?

    init(_ number: Int, _ screen: Screen, next: Entry?) {
        self.number = number
        self.screen = screen
        self.next = next
    }
}

/// A cache of the screens that were added last.
package final class RecentScreens {
    private let capacity: Int
    private var entries: [Int: Entry] = [:]
    private var first: Entry?
    private weak var last: Entry?

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a screen, and removes the oldest one from the dictionary.
    ///
    /// It is the mistake of this cache that the neighbour of the removed entry still refers to that entry.
    func add(_ number: Int, _ screen: Screen) {
        let entry = Entry(number, screen, next: first)
        first?.previous = entry
        first = entry
        last = last ?? entry
        entries[number] = entry
        guard entries.count > capacity, let oldest = last else { return }
        entries[oldest.number] = nil
        last = oldest.previous
    }

    func removeAll() {
        entries = [:]
        first = nil
    }
}
