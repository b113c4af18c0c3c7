import Foundation

// `nonisolated(unsafe)` is safe because the main task alone uses the two arrays, one step after the other.

/// The objects that stay alive.
nonisolated(unsafe) var kept: [AnyObject] = []
/// The numbers of objects by the names of their classes.
nonisolated(unsafe) var expected: [(name: String, born: Int, live: Int)] = []

/// Hides an object from the optimiser, which could otherwise remove it or place it on the stack.
@inline(never) @_optimize(none) func show(_ object: AnyObject?) {}

/// Creates five objects, and keeps three.
@inline(never) func visit(_ name: String, _ make: (Int) -> AnyObject) {
    visit(name, tries: 5, born: 5) { number in make(number) }
}

/// Calls a closure, and keeps all objects but the first two.
@inline(never) func visit(_ name: String, tries: Int, born: Int, _ make: (Int) -> AnyObject?) {
    var objects: [AnyObject] = []
    for number in 0..<tries {
        guard let object = make(number) else { continue }
        show(object)
        objects.append(object)
    }
    let staying = objects.dropFirst(2)
    kept += staying
    expected.append((name, born, staying.count))
}

/// Objects of classes of many kinds.
public enum Zoo {
    /// Keeps objects alive.
    public static func keep(_ objects: [AnyObject]) { kept += objects }

    /// Creates objects of all kinds, does what the words say, and waits for a signal.
    ///
    /// Prints for each class how many objects were created and how many live, as the program knows from its own code.
    ///
    /// - Parameter words: `fork COUNT` and `load PATH`.
    public static func visit(_ words: [String]) async {
        Simple.visitAll()
        Tails.visitAll()
        Failing.visitAll()
        await Referenced.visitAll()
        await Recent.visitAll()
        Uncounted.visitAll()
        for (word, value) in zip(words, words.dropFirst()) {
            if word == "fork", let count = Int(value) { Forking.visit(times: count) }
            if word == "load" { Guests.visit(value) }
        }
        for entry in expected { print("class", entry.name, entry.born, entry.live) }
        print("ready")
        fflush(nil)
        while true { pause() }
    }
}
