internal import RetainPaths

/// Compares a path with the expected patterns.
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

    /// The first pattern without a match after the matches of the previous patterns, or `nil`.
    func firstMissing(of patterns: [StepPattern]) -> StepPattern? {
        var piece = 0
        // The text of the current piece after the last match. One piece may match several patterns.
        var rest: Substring?
        for (index, pattern) in patterns.enumerated() {
            var found = false
            while piece < pieces.count, !found {
                if let end = match(pattern, pieces[piece], in: rest) {
                    rest = end
                    found = true
                } else {
                    // The first pattern must match the root, which is the first piece.
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
        case (.through(let text), .through(let through)), (.member(let text), .through(let through)):
            remainder(of: rest ?? through[...], behind: text)
        case (.says(let text), .name(_, let words)), (.says(let text), .through(let words)):
            remainder(of: rest ?? words[...], behind: text)
        case (.step, .through), (.closure, .name), (.through, .name), (.member, .name):
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
