/// A line of a path in text form.
package struct RetainLine: Sendable, Hashable {
    /// The text of the line: `.subs[2].1`,
    /// `closure #2 (String) -> () in DetailScreen.bind() captures DetailScreen strongly`.
    package let text: String
    /// The steps of ``HasRetainPath/path`` that the line covers.
    ///
    /// The line names the first step. The others are folded, or repeat it.
    package let steps: Range<Int>
    /// Whether all references of the line are certain.
    package let isCertain: Bool
    /// Whether the reference of this line should most likely be given up.
    package let isSuspect: Bool
    /// Whether the line's reference leads back to the first step of the cycle.
    package let closesCycle: Bool
}

extension HasRetainPath {
    /// The lines of the path.
    ///
    /// - Parameter full: Whether every step has a line of its own. Otherwise the storage of collections, thunks and
    ///   boxes are folded into the step before them.
    package func lines(full: Bool = false) -> [RetainLine] {
        var lines: [RetainLine] = []
        var start = 0
        while start < path.count {
            var end = start + 1
            while !full, end < path.count, path[end].isFolded, end != cycle?.lowerBound { end += 1 }
            let steps = start..<end
            let closes = cycle.map { steps.contains($0.upperBound) } ?? false
            if !isToldAlready(steps, full: full) {
                lines.append(line(steps, full: full, closesCycle: closes && !needsReturn(steps, full: full)))
            }
            if closes, needsReturn(steps, full: full), let cycle {
                lines.append(
                    RetainLine(
                        text: path[cycle.lowerBound].name, steps: cycle.lowerBound..<cycle.lowerBound, isCertain: true,
                        isSuspect: false, closesCycle: true))
            }
            start = end
        }
        return full ? lines : Self.withoutRepetition(lines)
    }

    /// Joins the lines of more than two equal nodes in a row, such as those of a linked list, into one with their
    /// number.
    private static func withoutRepetition(_ lines: [RetainLine]) -> [RetainLine] {
        var result: [RetainLine] = []
        var rest = lines[...]
        while let first = rest.first {
            let same = rest.prefix { $0.text == first.text && !$0.closesCycle && !$0.steps.isEmpty }
            guard same.count > 2, let last = same.last else {
                result.append(first)
                rest.removeFirst()
                continue
            }
            result.append(
                RetainLine(
                    text: "\(first.text) (\(same.count) times)", steps: first.steps.lowerBound..<last.steps.upperBound,
                    isCertain: !same.contains { !$0.isCertain }, isSuspect: same.contains(where: \.isSuspect),
                    closesCycle: false))
            rest = rest[same.endIndex...]
        }
        return result
    }

    private func line(_ steps: Range<Int>, full: Bool, closesCycle: Bool) -> RetainLine {
        let first = path[steps.lowerBound]
        var text = first.name
        switch first.kind {
        case .closure where !first.through.isEmpty:
            text += " " + first.through
        case .object where !full && isNamedByRoot(steps.lowerBound) && !shortThrough(steps).isEmpty:
            text = shortThrough(steps)
        case .task where first.name != PathNode.task && !shortThrough(steps).isEmpty,
            .stack where first.name.contains(", in ") && !shortThrough(steps).isEmpty:
            // Without the space, the element would seem to be one of the function's result.
            text += " " + shortThrough(steps)
        default:
            text += shortThrough(steps)
        }
        return RetainLine(
            text: text, steps: steps, isCertain: path[steps].allSatisfy(\.isCertain),
            isSuspect: suspect.map(steps.contains) ?? false, closesCycle: closesCycle)
    }

    /// The property or element through which a line's first step holds the next shown step.
    private func shortThrough(_ steps: Range<Int>) -> String {
        let parts = steps.map { index in
            let step = path[index]
            switch step.kind {
            case .closure: return ""
            // Of folded objects, only the elements of collections mean something to users.
            case .object
            where index > steps.lowerBound && !step.through.hasPrefix("[") && !step.through.hasPrefix(".keys["):
                return ""
            default: return step.through
            }
        }
        return Self.joined(parts[...])
    }

    /// The parts without those that are repeated more than twice in a row, whose number is stated: the boxes of a list
    /// of indirect cases.
    private static func joined(_ parts: ArraySlice<String>) -> String {
        guard let first = parts.first else { return "" }
        let same = parts.prefix { $0 == first }
        let isRepeated = same.count > 2 && !first.isEmpty
        let text = isRepeated ? "\(first) (\(same.count) times)" : same.joined()
        return text + joined(parts[same.endIndex...])
    }

    /// Whether the name of the root already contains the type of the object behind it, as `static Hub.shared` does for
    /// a Hub.
    private func isNamedByRoot(_ index: Int) -> Bool {
        guard index > 0, path[index - 1].kind == .global, path[index - 1].through.isEmpty else { return false }
        let type = ShortTypeName.withoutGenerics(path[index].name).split(separator: ".")
        let root = path[index - 1].name.split { $0 == " " || $0 == "." }
        return root.indices.contains { root[$0...].starts(with: type) }
    }

    /// Whether the line of a closure already names the last node, which the closure captures.
    private func isToldAlready(_ steps: Range<Int>, full: Bool) -> Bool {
        guard !full, steps.upperBound == path.count, cycle?.upperBound != path.count - 1, steps.lowerBound > 0 else {
            return false
        }
        return namesWhatItCaptures(before: steps.lowerBound)
    }

    /// Whether the return of a cycle to its first step needs a line.
    private func needsReturn(_ steps: Range<Int>, full: Bool) -> Bool {
        full || !namesWhatItCaptures(before: steps.upperBound)
    }

    private func namesWhatItCaptures(before index: Int) -> Bool {
        guard let shown = path[..<index].last(where: { !$0.isFolded }) else { return false }
        return shown.kind == .closure && shown.through.hasPrefix("captures ")
            && shown.through.place(of: " strongly") != nil
    }
}
