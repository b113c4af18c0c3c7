/// Reads identifiers in mangled names, in which single letters stand for words of earlier identifiers
/// (docs/ABI/Mangling.rst, "Identifiers"; lib/Demangling/Demangler.cpp, demangleIdentifier).
struct IdentifierWords {
    /// MaxNumWords (swift/Demangling/ManglingUtils.h).
    private static let limit = 26

    private var words: [[UInt8]] = []

    /// The identifier at a position, and the position behind it; `nil` for an identifier that is in Punycode or
    /// incomplete.
    mutating func identifier(in bytes: [UInt8], at start: Int) -> (name: String, end: Int)? {
        var position = start
        var hasWords = false
        if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
            position += 1
            hasWords = true
            if position < bytes.count, bytes[position] == UInt8(ascii: "0") { return nil }
        }
        var name: [UInt8] = []
        repeat {
            while hasWords, position < bytes.count, let word = Self.wordIndex(bytes[position]) {
                guard word.index < words.count else { return nil }
                name += words[word.index]
                hasWords = !word.isLast
                position += 1
            }
            if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
                position += 1
                break
            }
            var length = 0
            while position < bytes.count, (0x30...0x39).contains(bytes[position]), length <= bytes.count {
                length = length * 10 + Int(bytes[position] - 0x30)
                position += 1
            }
            guard length > 0, length <= bytes.count - position else { return nil }
            let part = Array(bytes[position..<position + length])
            collectWords(of: part)
            name += part
            position += length
        } while hasWords
        return (String(decoding: name, as: UTF8.self), position)
    }

    /// Lower-case letters stand for words; an upper-case letter stands for the last word.
    private static func wordIndex(_ byte: UInt8) -> (index: Int, isLast: Bool)? {
        switch byte {
        case 0x61...0x7A: (Int(byte - 0x61), false)
        case 0x41...0x5A: (Int(byte - 0x41), true)
        default: nil
        }
    }

    /// Stores the words of an identifier.
    ///
    /// A word begins at a letter. It ends before an underscore, and before an upper-case letter that follows a
    /// character other than an upper-case letter.
    private mutating func collectWords(of part: [UInt8]) {
        var start: Int?
        for index in 0...part.count {
            let byte = index < part.count ? part[index] : 0
            let isUpper = (0x41...0x5A).contains(byte)
            if let begun = start {
                let followsUpper = (0x41...0x5A).contains(part[index - 1])
                if byte == 0 || byte == UInt8(ascii: "_") || isUpper && !followsUpper {
                    if index - begun >= 2, words.count < Self.limit { words.append(Array(part[begun..<index])) }
                    start = nil
                }
            }
            let isDigit = (0x30...0x39).contains(byte)
            if start == nil, byte != 0, byte != UInt8(ascii: "_"), !isDigit { start = index }
        }
    }
}
