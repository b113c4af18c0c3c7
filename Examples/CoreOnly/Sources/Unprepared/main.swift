import LifetimeTracer
import LifetimeTracerEveryClass

// Traces its own classes, which know nothing of the library, and prints the numbers of their instances.

final class Plain { var number = 1 }
class Generic<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
}
final class Leaf: Generic<String> {}
final class Failing {
    let plain: Plain
    init?(_ number: Int) {
        if number == 0 { return nil }
        plain = Plain()
        if number == 1 { return nil }
    }
}
actor Counter { var number = 1 }
final class Buffer: ManagedBuffer<Int, Int> {}
final class Behind {}
final class Recorded: TracedObject {}

/// Keeps objects, so that the optimiser cannot remove them.
///
/// `nonisolated(unsafe)` is safe because one thread alone uses the array.
nonisolated(unsafe) var kept: [AnyObject] = []

/// Creates three objects, and keeps two.
func visit(_ create: (Int) -> AnyObject?) {
    let objects = (0..<3).map(create)
    kept += objects.dropFirst().compactMap(\.self)
}

do throws(EveryClassError) {
    try EveryClassTracing.start()
} catch {
    print(error.message)
}
visit { _ in Plain() }
visit { Generic($0) }
visit { Leaf("\($0)") }
visit { Failing($0) }
visit { _ in Counter() }
visit { Buffer.create(minimumCapacity: $0) { _ in 1 } }
visit { ManagedBufferPointer<Int, Int>(bufferClass: Behind.self, minimumCapacity: $0) { _, _ in 1 }.buffer }
visit { _ in Recorded() }
let types = LifetimeRegistry.shared.snapshot().types.map { ("\($0.type)", $0.born, $0.live) }
for (name, born, live) in types.sorted(by: { $0.0 < $1.0 }) { print(name, born, live) }
