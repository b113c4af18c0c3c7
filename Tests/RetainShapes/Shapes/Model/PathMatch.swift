internal import RetainPaths

/// Compares a path with what it must tell.
struct PathMatch {
    /// A piece of a path's wording.
    private enum Piece {
        case name(RetainStep.Kind, String)
        case through(String)
    }

    private let pieces: [Piece]

    init(_ path: [RetainStep]) {
        pieces = path.flatMap { [.name($0.kind, $0.name), .through($0.through)] }
    }

    /// The first pattern that the path does not tell behind those before it, or `nil`.
    func firstMissing(of patterns: [StepPattern]) -> StepPattern? {
        var piece = 0
        // What of the current piece's text is behind the last match: one piece may tell several things.
        var rest: Substring?
        for (index, pattern) in patterns.enumerated() {
            var found = false
            while piece < pieces.count, !found {
                if let end = match(pattern, pieces[piece], in: rest) {
                    rest = end
                    found = true
                } else {
                    // A path begins with its root.
                    if index == 0, piece > 0 { return pattern }
                    piece += 1
                    rest = nil
                }
            }
            if !found { return pattern }
        }
        return nil
    }

    private func match(_ pattern: StepPattern, _ piece: Piece, in rest: Substring?) -> Substring? {
        switch (pattern, piece) {
        case (.step(let kind, let text), .name(let its, let name)):
            its == kind && rest == nil ? remainder(of: name[...], behind: text) : nil
        case (.closure(let text), .name(.closure, let name)):
            remainder(of: rest ?? name[...], behind: text)
        case (.closure(let text), .through(let through)):
            through.contains("closure") ? remainder(of: rest ?? through[...], behind: text) : nil
        case (.through(let text), .through(let through)):
            remainder(of: rest ?? through[...], behind: text)
        case (.says(let text), .name(_, let words)), (.says(let text), .through(let words)):
            remainder(of: rest ?? words[...], behind: text)
        case (.step, .through), (.closure, .name), (.through, .name):
            nil
        }
    }

    private func remainder(of text: Substring, behind wanted: String) -> Substring? {
        if wanted.isEmpty { return text }
        var start = text.startIndex
        while start < text.endIndex {
            let tail = text[start...]
            if tail.hasPrefix(wanted) { return tail.dropFirst(wanted.count) }
            start = text.index(after: start)
        }
        return nil
    }
}
