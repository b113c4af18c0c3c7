import LifetimeTracer

/// Instances of up to 9,261 classes, more than a source file could declare one by one.
enum ManySubjects {
    private final class Combined<First, Second, Third>: TracedObject {}

    private static let parts: [Any.Type] = [
        Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Bool.self,
        String.self, Double.self, Int.self, UInt.self, Float.self, Character.self, Substring.self, Duration.self,
        ObjectIdentifier.self, ClosedRange<Int>.self, Range<Int>.self, Unicode.Scalar.self,
    ]

    /// Returns what creates an instance of the class with a number.
    static func maker(_ number: Int) -> () -> TracedObject {
        let count = parts.count
        let (first, second, third) = (
            parts[number / count / count], parts[number / count % count], parts[number % count]
        )
        func open<First>(_: First.Type) -> () -> TracedObject {
            func open<Second>(_: Second.Type) -> () -> TracedObject {
                func open<Third>(_: Third.Type) -> () -> TracedObject { { Combined<First, Second, Third>() } }
                return _openExistential(third, do: open)
            }
            return _openExistential(second, do: open)
        }
        return _openExistential(first, do: open)
    }
}
