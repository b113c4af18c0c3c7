/// All kinds of rounds, in the order of their runs.
@MainActor package let allRounds: [any Rounds.Type] =
    tokenRounds + foundationRounds + hubRounds + objectRounds + tableRounds + registryRounds + dashboardRounds

/// A kind of rounds, for tests.
package struct RoundKind: Sendable, CustomStringConvertible {
    /// The work of a round.
    package let name: String
    /// The number of rounds that shows growth.
    package let rounds: Int

    package var description: String { name }
}

/// The kinds of all rounds.
@MainActor package let roundKinds = allRounds.map { RoundKind(name: $0.name, rounds: $0.count.number) }
