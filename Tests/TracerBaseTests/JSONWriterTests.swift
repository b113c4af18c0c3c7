import Foundation
import Testing
import TracerBase

/// The writer's JSON, read by Foundation's parser.
@Suite struct JSONWriterTests {
    @Test(arguments: [
        "", "plain", "\"quotes\" and \\backslashes\\ and /slashes/", "tab\t line\n return\r feed\u{c} back\u{8}",
        String((0...0x1F).map { Character(UnicodeScalar(UInt8($0))) }), "\u{7F}\u{80}\u{2028}\u{2029}\u{FEFF}\u{FFFF}",
        "é e\u{301} 🙂 👩‍👩‍👧 \u{10FFFF}", "</script><img src=x onerror=alert(1)>",
        String(repeating: "long \" \u{1} 🙂", count: 500),
    ])
    func textSurvivesARoundTrip(_ text: String) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data([text].jsonBytes)) as? [String]
        #expect(parsed?.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        var writer = JSONWriter()
        writer.object { $0.field(text, 1) }
        let object = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Int]
        #expect(object?.count == 1)
    }

    @Test(arguments: 0..<20, [0, 1, 5]) func aSingleCharacterIsEscapedAtEachPosition(_ position: Int, _ rest: Int)
        throws
    {
        let characters = (0...0x1F).map { UnicodeScalar(UInt8($0)) } + ["\"", "\\", " ", "!", "[", "]", "\u{7F}", "é"]
        for character in characters {
            let text = String(repeating: "a", count: position) + String(character) + String(repeating: "é", count: rest)
            let parsed = try? JSONSerialization.jsonObject(with: Data([text].jsonBytes)) as? [String]
            #expect(parsed?.first == text)
        }
    }

    @Test(arguments: [1, 16, 64, 100, 4096]) func bytesDoNotDependOnTheReservedRoom(_ capacity: Int) {
        let texts = (0..<20).map { String(repeating: "x", count: $0) }
        #expect(JSONWriter.bytes(reservingCapacity: capacity) { texts.write(to: &$0) } == texts.jsonBytes)
    }

    @Test func timesOfSeveralDaysAreWrittenInTurn() {
        var writer = JSONWriter()
        let day: Int64 = 86_400_000_000_000
        writer.array([0, 1_000_000, day, day + 1_000_000, 0, -1]) { $0.timestamp(nanosecondsSince1970: $1) }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"["1970-01-01T00:00:00.000Z","1970-01-01T00:00:00.001Z","1970-01-02T00:00:00.000Z","#
                + #""1970-01-02T00:00:00.001Z","1970-01-01T00:00:00.000Z","1969-12-31T23:59:59.999Z"]"#)
    }

    @Test func writtenJSONIsWrittenAsItIs() {
        let written = WrittenJSON(["a", "b"])
        #expect([written, written].jsonBytes == [["a", "b"], ["a", "b"]].jsonBytes)
    }

    @Test func nestedValuesAreWrittenAsJSON() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("a", [1, 2])
            writer.field("b", [Int]())
            writer.key("c")
            writer.object { _ in }
            writer.field("d", String?.none)
            writer.field("e", [true, false])
            writer.field("f", UInt64.max)
            writer.field("g", Int.min)
        }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"a":[1,2],"b":[],"c":{},"d":null,"e":[true,false],"#
                + #""f":18446744073709551615,"g":-9223372036854775808}"#
        )
    }
}
