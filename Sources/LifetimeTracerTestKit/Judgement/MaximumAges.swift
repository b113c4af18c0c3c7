import LifetimeTracer

/// The maximum ages of types' instances: `[RequestHandler.self: .seconds(60), Upload.self: .seconds(600)]`.
///
/// A maximum age covers the type itself, without its subclasses. `@unchecked Sendable` is safe because a class metatype
/// is immutable and valid forever, and only its name is read.
public struct MaximumAges: @unchecked Sendable, ExpressibleByDictionaryLiteral {
    let ages: [(type: AnyClass, age: Duration)]

    /// Creates maximum ages; traps on a negative age, which is a mistake in the test.
    public init(dictionaryLiteral elements: (AnyClass, Duration)...) {
        for element in elements {
            precondition(
                element.1 >= .zero, "the maximum age of \(element.0) is \(element.1.inWords); use 0 seconds or more")
        }
        ages = elements.map { (type: $0.0, age: $0.1) }
    }

    /// Returns the maximum ages by the names that a registry uses for the types.
    ///
    /// A type without an entry here has the maximum age that the program has set in the registry.
    func byName(in registry: LifetimeRegistry, at snapshot: Snapshot) -> [TypeName: Duration] {
        let set = snapshot.types.compactMap { record in record.maximumAge.map { (record.type, $0) } }
        return Dictionary(set + ages.map { (registry.name(of: $0.type), $0.age) }) { _, last in last }
    }
}
