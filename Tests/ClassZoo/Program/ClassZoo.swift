import ClassZooNeighbour
import Foundation

// A program without the library that creates objects of many kinds, and then waits for a signal. For each class it
// prints how many objects it has created and how many of them live, as it knows from its own code.

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

@main enum ClassZoo {
    static func main() async {
        Simple.visitAll()
        Failing.visitAll()
        await Referenced.visitAll()
        Uncounted.visitAll()
        for entry in expected { print("class", entry.name, entry.born, entry.live) }
        print("ready")
        fflush(nil)
        while true { pause() }
    }
}
