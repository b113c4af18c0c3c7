import TracerBase

/// The properties and elements through which nodes hold the next.
extension NodeReader {
    /// Sets the properties through which a node holds the next: `.state.body`.
    ///
    /// The position of a captured tuple's element is left out, because the compiler may capture the element alone. A
    /// box contains the whole tuple.
    func setMembers(of step: HeapAnswer.Step, _ node: inout PathNode) {
        let isCapture = step.node == .closure && node.role != .box
        node.shownMembers = Self.members(step.names.map(Self.withSourceName), ofCapture: isCapture)
        // Fingerprints depend on these words, and do not contain a case inside a property.
        let stable = step.names.prefix(1) + step.names.dropFirst().filter { !$0.isCase }
        node.members = Self.members(Array(stable), ofCapture: isCapture)
        if step.isInExistential {
            node.obstacleToWeakness = .existential
        } else if step.names.suffix(2).contains(where: \.isCase) {
            // The name behind a case may be the label of one of its values.
            node.obstacleToWeakness = .enumeration
        } else if step.names.last?.isElementOfTuple == true {
            node.obstacleToWeakness = .tuple
        }
    }

    private static func members(_ names: [HeapAnswer.Step.Name], ofCapture isCapture: Bool) -> String {
        var texts = names.map(\.text).filter { !$0.isEmpty }
        if isCapture, let parts = texts.first?.split(separator: "."), parts.first?.allSatisfy(\.isNumber) == true {
            texts.replaceSubrange(..<1, with: parts.dropFirst().map(String.init))
        }
        return texts.map { ($0.hasPrefix("[") ? "" : ".") + withoutLazyMark($0) }.joined()
    }

    /// The name of the property behind which Foundation keeps the value.
    private static func withSourceName(_ name: HeapAnswer.Step.Name) -> HeapAnswer.Step.Name {
        var name = name
        if name.text == "__completion" { name.text = "completionBlock" }
        return name
    }

    /// The name without the compiler's prefix for the storage of a lazy property.
    private static func withoutLazyMark(_ name: String) -> Substring {
        let mark = "$__lazy_storage_$_"
        return name.hasPrefix(mark) ? name.dropFirst(mark.count) : name[...]
    }

    /// The element that holds the next node: `[2]`, `["userDidLogIn"]`, or `[…]` if the key is not known.
    static func element(_ step: HeapAnswer.Step, of type: String) -> String {
        if step.isInKey, KnownTypes.hasKeys(type) { return ".keys[…]" }
        switch step.key {
        case .string(let text): return "[\"\(keyText(text))\"]"
        case .signed(let number) where !isAddress(UInt64(bitPattern: number)): return "[\(number)]"
        case .unsigned(let number) where !isAddress(number): return "[\(number)]"
        case .signed, .unsigned, nil: break
        }
        guard let index = step.index else { return "[…]" }
        return "[\(index)]"
    }

    /// Whether a number looks like an address.
    ///
    /// Addresses mean nothing to users and differ from run to run.
    ///
    /// On Linux on x86-64, programs, their heaps, libraries and stacks lie at the end of the lower half of the
    /// addresses (Documentation/arch/x86/x86_64/mm.rst; ELF_ET_DYN_BASE in arch/x86/include/asm/elf.h). As a count of
    /// milliseconds since 1970, these numbers begin in the year 4931. As a count of microseconds, they are in the years
    /// 1972 to 1974.
    private static func isAddress(_ number: UInt64) -> Bool {
        (0x5500_0000_0000..<0x8000_0000_0000).contains(number) && number.isMultiple(of: 8)
    }

    /// The number of bytes of a key that the search copies.
    private static let keyLimit = 64

    private static func keyText(_ text: String) -> String {
        let (whole, mark) = withoutCutCharacter(text, limit: keyLimit)
        return whole.withEscapes(for: "\"") + mark
    }

    /// A text of which the search has copied a limited number of bytes, and `…` if it may be longer.
    static func withoutCutCharacter(_ text: String, limit: Int) -> (text: Substring, mark: String) {
        guard text.utf8.count >= limit else { return (text[...], "") }
        var text = text[...]
        // U+FFFD at the end stands for a character that was cut in the middle.
        while text.last == "\u{FFFD}" { text.removeLast() }
        return (text, "…")
    }
}

extension HeapAnswer.Step.Name {
    /// Whether the name ends with the position of an element of a tuple: `pair.1`.
    fileprivate var isElementOfTuple: Bool {
        text.split(separator: ".").last?.allSatisfy(\.isNumber) ?? false
    }
}
