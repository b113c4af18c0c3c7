import Testing

@testable import TracerBase

/// What the strict reader of JSON accepts and refuses.
@Suite struct JSONReaderTests {
    private func read(_ json: String, size: Int = 1 << 20, depth: Int = 8) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(json.utf8), size: size, depth: depth)
    }

    /// The value in a form that shows all differences: strings as their scalars.
    private func shape(_ value: JSONValue) -> String {
        switch value.content {
        case .null: "null"
        case .boolean(let boolean): "\(boolean)"
        case .number(let number): number.text
        case .string(let text): shape(text)
        case .array(let elements): "[\(elements.map(shape).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(shape($0.name)):\(shape($0.value))" }.joined(separator: ","))}"
        }
    }

    private func shape(_ text: String) -> String {
        "<\(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " "))>"
    }

    @Test(arguments: [
        ("null", "null"), (" true ", "true"), ("\t\r\n false", "false"), ("-0", "-0"), ("12", "12"),
        ("-1.50e+3", "-1.50e+3"), ("0.0E-0", "0.0E-0"), ("\"\"", "<>"), ("[]", "[]"), ("{ }", "{}"),
        ("[ 1 , [ ] ,2]", "[1,[],2]"), (#"{"a":{"b":null},"":1}"#, "{<61>:{<62>:null},<>:1}"),
        (#""\"\\\/\b\f\n\r\t""#, "<22 5c 2f 8 c a d 9>"), (#""\u00e9\uD83D\ude00A""#, "<e9 1f600 41>"),
        ("\"é😀\u{7F}\u{2028}\"", "<e9 1f600 7f 2028>"), (#""\u0000""#, "<0>"),
        // Canonically equivalent names are different names.
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{<e9>:1,<65 301>:2}"), (#"{"K":1,"\#u{212A}":2}"#, "{<4b>:1,<212a>:2}"),
    ])
    func validTextIsRead(json: String, expected: String) throws {
        #expect(shape(try read(json)) == expected)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "nan", "'a'", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "[1]]", "{", "{}}", "{\"a\"}",
        "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}", "{1:2}", "{a:1}", "{,}", "1 2", "01", "-01", "+1", ".5", "1.", "-", "1e",
        "1e+", "1.e1", "0x1", "1_0", "\"", "\"a", "\"\\\"", "\"\n\"", "\"\u{1}\"", "\"\t\"", #""\x""#, #""\u""#,
        #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\ud800""#, #""\ud800x""#, #""\ud800A""#, #""\udc00""#,
        #""\ud800\ud800""#, #""\ude00\ud83d""#, "\u{FEFF}1", "/* */1", "1//", "[1,\u{A0}2]", "null\0",
        #"{"a":1,"a":1}"#, #"{"a":1,"\#u{61}":2}"#, #"{"a":1,"b":{"c":1,"c":1}}"#,
        "{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{E9}\":3}",
    ])
    func invalidTextIsRefused(json: String) {
        #expect(throws: JSONError.self) { try read(json) }
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22], [0xFF, 0xFE, 0x31, 0x00],
    ])
    func textThatIsNotUTF8IsRefused(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONReader.read(bytes, size: 100, depth: 8) }
    }

    @Test func everyBeginningOfATextIsRefused() {
        let bytes = Array(#"{"a":[1.5e3,true,null,"\ud83d\ude00 é"],"b":{}}"#.utf8)
        for count in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONReader.read(Array(bytes[..<count]), size: 100, depth: 8) }
        }
    }

    @Test func depthIsLimited() throws {
        #expect(throws: Never.self) { try read(String(repeating: "[", count: 8) + String(repeating: "]", count: 8)) }
        let error = #expect(throws: JSONError.self) { try read(String(repeating: "[", count: 9)) }
        #expect(error?.message == "Lists and objects are nested more than 8 levels deep.")
        #expect(throws: JSONError.self) { try read(String(repeating: "{\"a\":", count: 500_000)) }
        #expect(throws: JSONError.self) { try read("[]", depth: 0) }
        #expect(try read("1", depth: 0).integer(as: Int.self) == 1)
    }

    @Test func sizeIsLimited() throws {
        #expect(throws: Never.self) { try read("[   ]", size: 5) }
        let error = #expect(throws: JSONError.self) { try read("[    ]", size: 5) }
        #expect(error?.message == "The text has 6 bytes.")
    }

    @Test func valuesMembersAndErrorsKnowTheirLines() throws {
        let value = try read("\n{\n\"a\": 1,\n\n\"b\":\n[2,\n3]}")
        let members = try #require(value.members)
        #expect(value.line == 2)
        #expect(members.map(\.line) == [3, 5] && members.map(\.value.line) == [3, 6])
        #expect(value["b"]?.elements?.map(\.line) == [6, 7])
        let error = #expect(throws: JSONError.self) { try read("[1,\n2,\nx]") }
        #expect(error == JSONError("A value is expected, but 'x' follows.", hint: error?.hint ?? "", line: 3))
        let twice = #expect(throws: JSONError.self) { try read("{\"a\":1,\n\"b\":2,\n\"a\":[\n]}") }
        #expect(twice?.message == "The name \"a\" is given twice." && twice?.line == 3)
    }

    @Test func messagesContainNoControlCharacters() {
        for json in ["{\"\\u001b\" 1}", "{\"\\u001b\":1,\"\\u001b\":2}", "\u{1B}", "1\u{1B}", "\"\u{1B}\""] {
            let error = #expect(throws: JSONError.self) { try read(json) }
            #expect(error?.message.printable == error?.message)
        }
    }

    @Test func whatTheWriterWritesIsReadAgain() throws {
        let texts = ["", "\"\\/\u{0}\u{1F}\u{7F}\u{2028}", "é e\u{301} 🙂 \u{10FFFF}\u{FFFF}", "\r\n\t\u{8}\u{c}"]
        var writer = JSONWriter()
        writer.object { writer in
            for text in texts { writer.field(text, [text, "x" + text]) }
            writer.field("largest", UInt64.max)
            writer.field("smallest", Int.min)
            writer.field("none", Int?.none)
            writer.field("yes", true)
        }
        let value = try JSONReader.read(writer.bytes, size: 1 << 16, depth: 2)
        for text in texts {
            let pair = value[text]?.elements?.compactMap(\.text)
            #expect(pair?.map { Array($0.utf8) } == [Array(text.utf8), Array("x\(text)".utf8)])
        }
        #expect(value["largest"]?.integer(as: UInt64.self) == .max)
        #expect(value["smallest"]?.integer(as: Int.self) == .min)
        #expect(value["none"]?.content == .null && value["yes"]?.content == .boolean(true))
    }
}
