package import LifetimeTracer

/// A leak that is made on purpose, with the answer that is right.
package struct Shape: Sendable {
    /// What it is called on the command line: "dictionary value".
    package let name: String
    /// What the shapes are about that stand together in a table.
    package private(set) var kind = ""
    /// The answer that is right.
    package private(set) var expectation: Expectation
    /// Makes the leak.
    package let plant: @MainActor @Sendable () -> Planted
    /// The variables that it uses: of shapes that share one, one can be planted at a time.
    package let variables: Set<String>
    /// Whether it goes by itself after a while, so that on a busy machine it has to be planted again.
    package let expires: Bool
    /// Whether others may be planted at the same time.
    package let canStandBesideOthers: Bool

    /// Creates a shape.
    ///
    /// - Parameters:
    ///   - name: What it is called on the command line.
    ///   - expectation: The answer that is right.
    ///   - variables: Those that it uses beside the one from which its path starts.
    ///   - expires: Whether it goes by itself after a while.
    ///   - alone: Whether nothing else can be planted at the same time.
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

    /// The same in a program without symbols.
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

/// A leak that has been made.
///
/// Holds no reference to what leaks: the holder that was planted is the only one.
package struct Planted: LockedState {
    /// The instance that is asked about.
    package let instance: InstanceID
    /// Where it is recorded.
    package let registry: LifetimeRegistry
    /// What is asked about in the same question, behind the instance.
    package let others: [InstanceID]
    /// Takes away the planted references, upon which the instance goes.
    package let undo: @MainActor @Sendable () -> Void

    /// Describes a leak that has been made.
    package init(
        _ object: some Traced, with others: [InstanceID] = [], undo: @escaping @MainActor @Sendable () -> Void
    ) {
        instance = object.lifetimeID
        registry = object.lifetimeRegistry
        self.others = others
        self.undo = undo
    }
}
