/// Finds the type that a user's input names.
struct TypeSearch: Sendable {
    enum Outcome: Sendable, Equatable {
        /// A type has that name; its full name.
        case found(String)
        /// No type has that name; the suggestions are similar names.
        case unknown(suggestions: [String])
        /// Types of several modules have that name; each with its number of live instances.
        case ambiguous([String])
    }

    let api: TracerAPI

    /// The most suggestions.
    private static let suggestionLimit = 5
    /// The most types whose names are compared if no name contains the input.
    private static let comparedLimit = 10_000

    /// Searches the types that the server has seen.
    ///
    /// - Parameter name: The full name, or the name without its module.
    func find(_ name: String) async throws(ClientFailure) -> Outcome {
        let path = "api/v1/types?sort=name&filter=\(TracerAPI.escaped(name))"
        let containing = try await api.list(path, of: WireTypePage.self).entries
        if containing.contains(where: { $0.type == name }) { return .found(name) }
        let named = containing.filter { $0.name == name }
        let live = named.filter { $0.live > 0 }
        if let only = named.count == 1 ? named.first : live.count == 1 ? live.first : nil { return .found(only.type) }
        guard named.isEmpty else { return .ambiguous(named.map { "\($0.type) (\($0.live) live)" }) }
        // Types with live instances are suggested first, because users mean them more often.
        let likely = containing.sorted { ($1.live, $0.type) < ($0.live, $1.type) }.map(\.type)
        let suggestions = likely.isEmpty ? try await similarNames(to: name) : likely
        return .unknown(suggestions: Array(suggestions.prefix(Self.suggestionLimit)))
    }

    private func similarNames(to name: String) async throws(ClientFailure) -> [String] {
        let types = try await api.list("api/v1/types?sort=live", of: WireTypePage.self) {
            $0.count >= Self.comparedLimit
        }.entries
        let wanted = Array(name.lowercased().unicodeScalars)
        let limit = max(2, wanted.count / 3)
        return types.compactMap { type -> (distance: Int, type: String)? in
            let distances = [type.type, type.name].map {
                EditDistance.between(wanted, Array($0.lowercased().unicodeScalars), atMost: limit)
            }
            return distances.compactMap(\.self).min().map { ($0, type.type) }
        }
        .sorted { ($0.distance, $0.type) < ($1.distance, $1.type) }.map(\.type)
    }
}
