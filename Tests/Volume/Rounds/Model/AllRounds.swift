/// All kinds of rounds, in the order in which they are run.
@MainActor package let allRounds: [any Rounds.Type] =
    tokenRounds + foundationRounds + hubRounds + objectRounds + tableRounds + registryRounds + dashboardRounds

/// One of them, for tests.
package struct RoundKind: Sendable, CustomStringConvertible {
    /// What a round does.
    package let name: String
    /// How many rounds show growth.
    package let rounds: Int

    package var description: String { name }
}

/// The kinds of all rounds.
@MainActor package let roundKinds = allRounds.map { RoundKind(name: $0.name, rounds: $0.count.number) }
