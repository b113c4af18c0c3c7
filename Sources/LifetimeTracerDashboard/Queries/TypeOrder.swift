import LifetimeTracer

/// The order of a registry's types by their names.
///
/// It is kept, because comparing the names of thousands of types takes milliseconds. New types are merged into it;
/// names and positions of types never change.
final class TypeOrder: Sendable {
    /// A text by which types are ordered.
    enum Key: Sendable, CaseIterable {
        /// The module and the name.
        case qualified
        /// The name without the module.
        case name
        case module

        fileprivate func text(_ name: TypeName) -> String {
            switch self {
            case .qualified: name.qualified
            case .name: name.name
            case .module: name.module
            }
        }
    }

    private struct Ranking: Sendable {
        var texts: [String] = []
        /// The positions of the types in the order of their texts.
        var sorted: [Int] = []
        /// The place of each type in that order; types with the same text share one.
        var ranks: [Int] = []

        mutating func add(_ new: [String]) {
            sorted += texts.count..<texts.count + new.count
            texts += new
            // The first part is in order already, which makes sorting a merge.
            sorted.sort { texts[$0] < texts[$1] }
            ranks = [Int](repeating: 0, count: texts.count)
            for place in sorted.indices.dropFirst() {
                let (type, before) = (sorted[place], sorted[place - 1])
                ranks[type] = texts[type] == texts[before] ? ranks[before] : place
            }
        }
    }

    private struct State: LockedState {
        var rankings: [Key: Ranking] = [:]
        var lowercased: [String] = []
    }

    private let state = Locked(State())

    /// Returns the place of each type in the order by a text; types with the same text share one.
    func ranks(by key: Key, _ overview: TypeOverview) -> [Int] {
        state.withLock { state in
            let known = state.rankings[key]?.texts.count ?? 0
            if known < overview.count {
                let new = (known..<overview.count).map { key.text(overview.name($0)) }
                state.rankings[key, default: Ranking()].add(new)
            }
            return state.rankings[key]?.ranks ?? []
        }
    }

    /// Returns the places of some types.
    func values(of types: [Int], by key: Key, _ overview: TypeOverview) -> [Int] {
        let ranks = ranks(by: key, overview)
        return types.map { ranks[$0] }
    }

    /// Returns the names of all types in lower case.
    func lowercased(_ overview: TypeOverview) -> [String] {
        state.withLock { state in
            for type in state.lowercased.count..<max(state.lowercased.count, overview.count) {
                state.lowercased.append(overview.name(type).qualified.lowercased())
            }
            return state.lowercased
        }
    }
}
