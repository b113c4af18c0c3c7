public import LifetimeTracer

/// The instances and tokens that a piece of code left behind in a registry of its own.
public struct Leftovers: Sendable, CustomStringConvertible {
    /// The instances that are still live, oldest first.
    public let instances: [InstanceRecord]
    /// The observer tokens that are still in force, oldest first.
    public let tokens: [TokenRecord]

    /// Whether nothing was left.
    public var isEmpty: Bool { instances.isEmpty && tokens.isEmpty }

    /// A line for each instance and token, or a statement that nothing was left behind.
    public var description: String {
        guard !isEmpty else { return "nothing left behind" }
        let instanceLines = instances.map { instance in
            "\(instance.type) #\(instance.id)" + Self.quoted(instance.label) + Self.place(instance.site)
        }
        let tokenLines = tokens.map { token in
            "\(token.kind) token for \(token.event)" + Self.place(token.site)
                + (token.ownerType.map { ", owner \($0.name)" } ?? "")
        }
        return (instanceLines + tokenLines).joined(separator: "\n")
    }

    private static func quoted(_ label: String?) -> String {
        label.map { " \"\($0)\"" } ?? ""
    }

    private static func place(_ site: SourceSite?) -> String {
        site.map { ", from \($0)" } ?? ""
    }
}

extension Leftovers {
    /// Runs `body` in a registry of its own, and returns the instances and tokens of that registry that are left.
    ///
    /// ```swift
    /// let leftovers = Leftovers.of { _ = Screen() }
    /// #expect(leftovers.isEmpty, "\(leftovers)")
    /// ```
    /// Objects of other tests that run at the same time are not included.
    public static func of(_ body: () throws -> Void) rethrows -> Leftovers {
        let registry = LifetimeRegistry(clock: ManualClock())
        try registry.withCurrent(body)
        return Leftovers(in: registry)
    }

    /// Runs `body` in a registry of its own, and returns the instances and tokens of that registry that are left.
    ///
    /// Includes objects that child tasks create, but not those that `body` creates on threads of its own.
    public static func of<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Void
    ) async throws(Failure) -> Leftovers {
        let registry = LifetimeRegistry(clock: ManualClock())
        try await registry.withCurrent(body)
        return Leftovers(in: registry)
    }

    init(in registry: LifetimeRegistry) {
        self.init(in: registry.snapshot())
    }

    init(in snapshot: Snapshot) {
        self.init(instances: Array(snapshot.instances), tokens: snapshot.tokens)
    }
}
