package import LifetimeTracer

/// A deliberate leak, with the right answer to a search for its retain path.
package struct Shape: Sendable {
    /// The name on the command line, for example "dictionary value".
    package let name: String
    /// The kind: the title of the group in the table.
    package private(set) var kind = ""
    /// The answer that is right.
    package private(set) var expectation: Expectation
    /// Makes the leak.
    package let plant: @MainActor @Sendable () -> Planted
    /// The variables that the shape uses.
    ///
    /// Only one of several shapes that share a variable can be planted at a time.
    package let variables: Set<String>
    /// Whether the leak ends by itself after a while, so that on a busy machine it may have to be planted again.
    package let expires: Bool
    /// Whether other shapes may be planted at the same time.
    package let canStandBesideOthers: Bool

    /// Creates a shape.
    ///
    /// - Parameters:
    ///   - name: The name on the command line.
    ///   - expectation: The answer that is right.
    ///   - variables: The variables that the shape uses besides the one at the start of its path.
    ///   - expires: Whether the leak ends by itself after a while.
    ///   - alone: Whether no other shape can be planted at the same time.
    ///   - plant: Makes the leak.
    package init(
        _ name: String, _ expectation: Expectation, using variables: Set<String> = [], expires: Bool = false,
        alone: Bool = false,
        plant: @escaping @MainActor @Sendable () -> Planted
    ) {
        self.name = name
        self.expectation = expectation
        self.plant = plant
        self.variables = variables.union(expectation.variable.map { [$0] } ?? [])
        self.expires = expires
        canStandBesideOthers = !alone && !expires && !expectation.isVictim
    }

    /// The shape with the expectation for a program without symbols.
    package func withoutNames() -> Self {
        var shape = self
        shape.expectation = expectation.withoutNames()
        return shape
    }

    func ofKind(_ kind: String) -> Self {
        var shape = self
        shape.kind = kind
        return shape
    }
}

/// A planted leak.
///
/// `Planted` holds no reference to the leaked object: the planted holder is the only one.
package struct Planted: LockedState {
    /// The leaked instance; `nil` if nobody traces its class.
    package let instance: InstanceID?
    /// The registry of the instance.
    package let registry: LifetimeRegistry
    /// Further instances of the same question.
    package let others: [InstanceID]
    /// Removes the planted references, so that the instance dies.
    package let undo: @MainActor @Sendable () -> Void

    /// Describes a planted leak.
    package init(
        _ object: some Traced, with others: [InstanceID] = [], undo: @escaping @MainActor @Sendable () -> Void
    ) {
        instance = object.lifetimeID
        registry = object.lifetimeRegistry
        self.others = others
        self.undo = undo
    }

    /// Describes planted objects that nobody traces: subclasses of `PlainObject`, all of which must die with `undo`.
    package init(undo: @escaping @MainActor @Sendable () -> Void) {
        instance = nil
        registry = .shared
        others = []
        self.undo = undo
    }
}
