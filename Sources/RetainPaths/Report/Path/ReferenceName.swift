/// What the name of a property says about the direction of its reference: back to an owner, or on to a part.
struct ReferenceName {
    private let words: [String]
    /// The words without spaces, for names such as `dataSource` and `superview`.
    private let joined: String

    /// Reads the last property of some members that has a meaning of its own: `parent` in `._state.parent.value`.
    init(members: String) {
        let parts = members.split(separator: ".").map { Self.words(of: $0) }.filter { !$0.isEmpty }
        words = parts.last { !Self.isValue($0) } ?? []
        joined = words.joined()
    }

    /// Reads the name of a type without the types around it: `ParentProperty`.
    init(type: String) {
        words = Self.words(of: type.split(separator: ".").last ?? "")
        joined = words.joined()
    }

    /// How surely the name is that of a reference back, from 0, not at all, to 3.
    ///
    /// Some names are as usual for references to parts, such as `context` for the surroundings that an object makes for
    /// itself.
    var backRank: Int {
        guard let first = words.first, let last = words.last else { return 0 }
        if Self.backNames.contains(last) || Self.backSuffixes.contains(where: joined.hasSuffix) { return 3 }
        if words.count > 1, Self.backBeginnings.contains(first) { return 3 }
        if Self.likelyBackNames.contains(last) { return 2 }
        return first == "back" ? 1 : 0
    }

    /// Whether the name is that of the root of a tree, which is a part of the tree and an owner of the nodes.
    var isRoot: Bool { words.last == "root" }

    /// Whether the name is usual for a reference to a part or to the next element.
    var isForward: Bool {
        guard let first = words.first, let last = words.last else { return false }
        return first == "next" || Self.forwardNames.contains(last)
    }

    /// Whether the name is usual for a reference to the next or the previous element of a linked list.
    var isLink: Bool { words.last.map(Self.linkNames.contains) ?? false }

    /// Whether the name says that a value is left over: `lastFailure`.
    var isAboutThePast: Bool {
        words.count > 1 && words.first.map(["last", "latest", "previous", "recent"].contains) ?? false
    }

    /// Whether the name of a type or a wrapped property says that it refers to an owner.
    var containsOwner: Bool { words.contains("parent") || words.contains("owner") }

    /// Whether the last property of some members is named as the value in a box or a wrapper: `value`, `wrappedValue`.
    static func isValue(_ members: String) -> Bool {
        members.split(separator: ".").last.map { isValue(words(of: $0)) } ?? false
    }

    private static func isValue(_ words: [String]) -> Bool {
        words.count == 1 ? valueNames.contains(words[0]) : words.last == "value"
    }

    /// The words of a name in small letters: `previous` and `node` in `_previousNode`.
    private static func words(of name: Substring) -> [String] {
        var words: [String] = []
        var word = ""
        var letters = name[...]
        while let letter = letters.popFirst() {
            // The last capital of several in a row begins the next word: `URLOwner`.
            let begins =
                letter.isUppercase
                && (word.last?.isLowercase ?? false || letters.first?.isLowercase ?? false)
            if begins || !letter.isLetter, !word.isEmpty {
                words.append(word.lowercased())
                word = ""
            }
            if letter.isLetter { word.append(letter) }
        }
        return word.isEmpty ? words : words + [word.lowercased()]
    }

    private static let backNames: Set = [
        "parent", "owner", "delegate", "previous", "prev", "predecessor", "back",
    ]

    private static let backSuffixes = [
        "superview", "superlayer", "datasource", "backreference", "backref", "backlink", "backpointer",
    ]

    private static let backBeginnings: Set = ["parent", "owner", "owning", "enclosing", "previous", "prev"]

    private static let likelyBackNames: Set = [
        "context", "ctx", "coordinator", "container", "host", "target", "listener", "observer", "presenter",
        "delegates", "listeners", "observers", "parents", "owners",
    ]

    private static let forwardNames: Set = ["next", "head", "tail", "child", "children", "left", "right", "siblings"]

    private static let linkNames: Set = [
        "next", "previous", "prev", "successor", "predecessor", "following", "preceding", "newer", "older", "link",
        "sibling",
    ]

    private static let valueNames: Set = [
        "value", "values", "storage", "stored", "wrapped", "content", "contents", "underlying", "boxed", "object",
        "reference", "ref",
    ]
}
