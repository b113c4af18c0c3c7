/// A source site as births identify it: one word for the file, which is the same for each birth at one place.
@usableFromInline
struct SiteKey: Sendable {
    /// The first word of the file's literal: its address, or the character of a literal without an address.
    let file: UInt
    let line: Int

    init(file: StaticString, line: Int) {
        // Safe: `Literal` has the layout of StaticString, and the word is only compared or read by `site`.
        self.file = unsafeBitCast(file, to: Literal.self).0
        self.line = line
    }

    init(file: UInt, line: Int) {
        self.file = file
        self.line = line
    }

    /// The site.
    ///
    /// Reads the whole literal, so births compute it only for the first of their kind.
    var site: SourceSite {
        var length: UInt = 0
        var isASCII = true
        // Characters have smaller values than the addresses of literals.
        let isCharacter = file <= 0x10FFFF
        if isCharacter {
            isASCII = file < 0x80
        } else if let start = UnsafePointer<UInt8>(bitPattern: file) {
            // Safe: a literal ends with a zero byte and stays in memory.
            while start[Int(length)] != 0 {
                isASCII = isASCII && start[Int(length)] < 0x80
                length += 1
            }
        }
        let flags = (isCharacter ? Self.characterFlag : 0) | (isASCII ? Self.asciiFlag : 0)
        // Safe: `Literal` has the layout of StaticString, and its parts are those of the literal: see SiteKeyTests.
        return SourceSite(file: unsafeBitCast((file, length, flags) as Literal, to: StaticString.self), line: line)
    }

    /// The layout of StaticString: address or character, length and flags (stdlib/public/core/StaticString.swift).
    @usableFromInline typealias Literal = (UInt, UInt, UInt8)
    private static let characterFlag: UInt8 = 1
    private static let asciiFlag: UInt8 = 2
}
