import LifetimeTracer

/// Up to 11³ generic classes, more than a source file could declare one by one.
enum ManyTypes {
    final class Combined<First, Second, Third>: TracedObject {}

    private static let parts: [Any.Type] = [
        Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Bool.self,
        String.self, Double.self,
    ]

    /// Creates an instance of the class with this number, from 0 to 1,330.
    static func make(_ number: Int) -> TracedObject {
        let (first, second, third) = (parts[number / 121], parts[number / 11 % 11], parts[number % 11])
        func open<First>(_: First.Type) -> TracedObject {
            func open<Second>(_: Second.Type) -> TracedObject {
                func open<Third>(_: Third.Type) -> TracedObject { Combined<First, Second, Third>() }
                return _openExistential(third, do: open)
            }
            return _openExistential(second, do: open)
        }
        return _openExistential(first, do: open)
    }
}
