import Testing
import TracerBase

/// Text from other sources in messages and reports.
@Suite struct PrintableTextTests {
    /// Control characters of both ranges, line separators, and characters that change the direction of text.
    static let interpreted: [Unicode.Scalar] = [
        "\u{0}", "\n", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{2028}", "\u{202E}", "\u{2066}",
    ]

    @Test(arguments: interpreted) func characterThatTerminalsInterpretIsReplaced(_ scalar: Unicode.Scalar) {
        #expect("a\(scalar)b".printable == "a\u{FFFD}b")
        #expect("a\(scalar)b".withEscapes() == "a\\u{\(String(scalar.value, radix: 16))}b")
    }

    @Test func otherTextStays() {
        #expect("é ➞ 木 👩‍👧".printable == "é ➞ 木 👩‍👧")
        #expect("é ➞ 木".withEscapes() == "é ➞ 木")
    }

    @Test func quotedValueIsShortened() {
        #expect(String(repeating: "x", count: 5000).printablePrefix.count == 100)
        #expect("\u{1B}[31m".printablePrefix == "\u{FFFD}[31m")
    }

    @Test func marksGetBackslashes() {
        #expect(#"say "\n""#.withEscapes(for: "\"") == #"say \"\\n\""#)
    }

    @Test func jsonKeepsItsMeaning() {
        #expect("{\"a\":\"\u{9B}\u{202E}\",\n\"b\":1}".printableJSON == "{\"a\":\"\\u009b\\u202e\",\n\"b\":1}")
    }
}
