/// Finds the type that somebody means.
struct TypeSearch: Sendable {
    enum Outcome: Sendable, Equatable {
        /// The full name.
        case found(String)
        /// No type has that name; some that have a similar one.
        case unknown(suggestions: [String])
        /// Types of several modules have it; with their live instances.
        case ambiguous([String])
    }

    let api: TracerAPI

    /// The most names that are suggested.
    private static let suggestionLimit = 5
    /// The most types that are compared when nothing contains the name.
    private static let comparedLimit = 10_000

    /// Looks among the types that have been seen.
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
        // Those with instances are meant more often.
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
