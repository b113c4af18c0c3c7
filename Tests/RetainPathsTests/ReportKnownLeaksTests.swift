import Foundation
import LifetimeTracer
import Testing

@testable import RetainPaths

@Suite struct ReportKnownLeaksTests {
    private let heap = MadeUpHeap()

    private func report(_ json: String, today: String = "2026-11-21", findings: Int = 1) throws -> RetainReport {
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "subs"), heap.array(0),
            heap.object("Demo.Flow", "screen"),
            heap.end("Demo.Screen"),
        ]
        return try RetainPathsTests.report(
            on: Array(repeating: .made(.reachable, steps), count: findings), in: heap,
            knownLeaks: KnownLeaks(json: json),
            today: today)
    }

    @Test func patternAcknowledgesAndCountsMatchingLeaks() throws {
        let report = try report(
            #"[{"pattern": "Hub.subs → Screen", "reason": "old design", "expires": "2026-11-21"}]"#, findings: 3)
        #expect(report.explanations.map(\.known?.reason) == ["old design", "old design", "old design"])
        #expect(report.explanations.map(\.known?.expires) == ["2026-11-21", "2026-11-21", "2026-11-21"])
        #expect(report.knownLeakCounts.map(\.value) == [3])
        #expect(report.explanations[0].path.count == 5)
        #expect(report.text().hasPrefix("Known: 3 matching Hub.subs → Screen until 2026-11-21: old design\nSearched "))
        #expect(report.text(full: true).hasPrefix("Screen #1 is held by static Hub.shared"))
        #expect(report.explanations[0].text().hasSuffix("  Known leak until 2026-11-21: old design\n"))
    }

    @Test func expiredKnownLeakIsReportedAgain() throws {
        let report = try report(
            #"[{"pattern": "Hub.subs → Screen", "reason": "old design", "expires": "2026-11-20"}]"#)
        let explanation = report.explanations[0]
        #expect(explanation.known == nil)
        #expect(explanation.expired?.reason == "old design")
        #expect(explanation.text().hasSuffix("  Was a known leak until 2026-11-20: old design\n"))
        #expect(report.knownLeakCounts.isEmpty)
        #expect(report.expiredLeaks.map(\.subject) == ["Hub.subs → Screen"])
        #expect(
            report.text().contains("No longer a known leak, expired after 2026-11-20: Hub.subs → Screen: old design\n"))
    }

    @Test func fingerprintAcknowledgesMatchingLeak() throws {
        let fingerprint = try unwrapped(report("[]").explanations[0].fingerprint)
        let known = try report("[{\"fingerprint\": \"\(fingerprint)\", \"reason\": \"so\"}]")
        #expect(known.explanations[0].known?.reason == "so")
        #expect(try report(#"[{"fingerprint": "0123456789abcdef", "reason": "so"}]"#).explanations[0].known == nil)
        // An entry that is still valid takes precedence over an expired entry.
        let both = try report(
            """
            [{"fingerprint": "\(fingerprint)", "reason": "first", "expires": "2020-02-29"},
             {"pattern": "Screen", "reason": "second"}]
            """)
        #expect(both.explanations[0].known?.reason == "second")
        #expect(both.explanations[0].expired == nil)
        let patterns = try report(
            """
            [{"pattern": "Hub.subs → Screen", "reason": "first", "expires": "2020-02-29"},
             {"pattern": "Screen", "reason": "second"}]
            """)
        #expect(patterns.explanations[0].known?.reason == "second")
    }

    @Test(arguments: [
        ("Hub.subs → Screen", true), ("static Hub.shared → Hub.subs → Flow.screen → Screen", true), ("Screen", true),
        ("* → Screen", true), ("Hub.* → *", true), ("Hub → Screen", true), ("Hub.sub*→Screen", true),
        ("H*b.s*s → S*n", true),
        ("static Hub.shared → Screen", true), ("Flow.screen → Screen", true), ("*", true),
        ("Hub.sub → Screen", false), ("Flow → Hub → Screen", false), ("Hub.subs", false), ("Scree", false),
        ("screen", false),
        ("Hub.subs → Hub.subs → Screen", false), ("Screen → Screen", false), ("H*x → Screen", false),
    ])
    func patternIsMatchedAgainstTheRetainPath(pattern: String, matches: Bool) throws {
        let report = try report("[{\"pattern\": \"\(pattern)\", \"reason\": \"so\"}]")
        #expect((report.explanations[0].known != nil) == matches)
    }

    @Test(arguments: [
        ("", "line 1: A value is expected, but the end of the text follows."),
        ("{}", "line 1: A list is expected, but the file contains an object. Write ["),
        ("\"x\"", "line 1: A list is expected, but the file contains a string."),
        ("[1]", "line 1: An object is expected for a known leak, but the list contains a number. Write {"),
        ("[\n{\"reason\": \"x\"}\n]", "line 2: A known leak has neither fingerprint nor pattern. Add one of them"),
        ("[{\"pattern\": \"A\"}]", "line 1: The known leak 'A' has no reason. State in \"reason\" why"),
        ("[{\"pattern\": \"A\",\n\"reason\": \" \\t\"}]", "line 2: The known leak 'A' has no reason."),
        ("[{\"pattern\": 3, \"reason\": \"x\"}]", "line 1: The value of \"pattern\" is a number. Write a string."),
        ("[{\"pattern\": null, \"reason\": \"x\"}]", "line 1: The value of \"pattern\" is null. Write a string."),
        ("[{\"pattern\": \"A\", \"reason\": [\"x\"]}]", "line 1: The value of \"reason\" is a list. Write a string."),
        ("[{\"pattern\": \"A\", \"reason\": true}]", "line 1: The value of \"reason\" is a boolean. Write a string."),
        ("[{\"pattern\": \"\", \"reason\": \"x\"}]", "line 1: The pattern '' has an empty part."),
        ("[{\"pattern\": \"A → \", \"reason\": \"x\"}]", "line 1: The pattern 'A → ' has an empty part."),
        (
            "[{\"pattern\": \"A\", \"fingerprint\": \"0123456789abcdef\", \"reason\": \"x\"}]",
            "line 1: A known leak has both fingerprint and pattern. Keep one"
        ),
        (
            "[{\"fingerprint\": \"xyz\", \"reason\": \"x\"}]",
            "line 1: 'xyz' is not a fingerprint. Copy the 16 hexadecimal digits"
        ),
        (
            "[{\"pattern\": \"A\", \"reson\": \"x\"}]",
            "line 1: A known leak has the unknown name \"reson\". Use fingerprint, pattern, reason"
        ),
        (
            "[{\"pattern\": \"A\",\n\"reason\": \"x\",\n\"reason\": \"y\"}]",
            "line 3: The name \"reason\" is given twice. Keep one"
        ),
        (
            "[{\"pattern\": \"A\", \"reason\": \"x\"},\n\n{\"pattern\": \"A\", \"reason\": \"y\"}]",
            "line 3: 'A' is listed a second time; the first is on line 1. Keep one"
        ),
        (
            "[{\"pattern\": \"A\", \"reason\": \"x\", \"expires\": \"31.1.2027\"}]",
            "line 1: '31.1.2027' is not a date. Write"
        ),
        (
            "[{\"pattern\": \"A\", \"reason\": \"x\", \"expires\": \"2027-02-29\"}]",
            "line 1: '2027-02-29' is not a date."
        ),
        (
            "[{\"pattern\": \"A\", \"reason\": \"x\", \"expires\": \"2027-13-01\"}]",
            "line 1: '2027-13-01' is not a date."
        ),
        (
            "[{\"pattern\": \"A\", \"reason\": \"x\", \"expires\": \"2027-00-01\"}]",
            "line 1: '2027-00-01' is not a date."
        ),
        (
            "[{\"pattern\": \"A\", \"reason\": \"x\", \"expires\": \"+027-01-01\"}]",
            "line 1: '+027-01-01' is not a date."
        ),
        ("[{\"pattern\": \"A\", \"reason\": \"x\",}]", "line 1: A comma stands before }. Remove the comma"),
        ("[{\"pattern\": \"A\" \"reason\": \"x\"}]", "line 1: A comma or } is expected, but '\"' follows."),
        ("[{\"pattern\" \"A\"}]", "line 1: After \"pattern\" a colon is expected, but '\"' follows. Write a colon"),
        ("[", "line 1: A value is expected, but the end of the text follows."),
        ("[]\n[]", "line 2: The end of the text is expected, but '[' follows. Remove"),
        ("[{x}]", "line 1: A name is expected, but 'x' follows."),
        ("[\"x\ny\"]", "line 1: A string contains the byte 0xa"), ("[\"x", "line 1: A string is not closed. Close"),
        ("[\"\\x\"]", "line 1: A string contains an unknown escape: \\ before 'x'."),
        ("[\"\\u12\"]", "line 1: A \\u in a string is not followed"),
        ("[\"\\ud800\"]", "line 1: A \\u in a string is half"), ("[\"\\udc00\"]", "line 1: A \\u in a string is half"),
        ("[01]", "line 1: '01' is not a number."), ("[1.]", "line 1: '1.' is not a number."),
        ("[-]", "line 1: '-' is not a number."),
        ("[1e]", "line 1: '1e' is not a number."), ("[tru]", "line 1: A value is expected, but 't' follows."),
        ("[[[[1]]]]", "line 1: An object is expected for a known leak, but the list contains a list."),
        ("\u{FEFF}[]", "line 1: The text begins with a byte order mark. Save"),
        ("[[[[[1]]]]]", "line 1: Lists and objects are nested more than 4"),
    ])
    func invalidJSONIsRejectedWithLineAndReason(json: String, message: String) {
        let error = #expect(throws: KnownLeaksError.self) { try KnownLeaks(json: json) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "none")")
    }

    @Test func validJSONIsReadWithEscapesAndWhitespace() throws {
        let leaks = try KnownLeaks(
            json: """
                \t[ {"reason":"a \\"quoted\\" \\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\\\", \
                "pattern":"Hub.subs \\u2192 X"} ,
                {"fingerprint":"0123456789abcdef","reason":"x","expires":"2028-02-29"}]\r\n
                """)
        #expect(leaks.leaks.map(\.reason) == ["a \"quoted\" é😀/\u{8}\u{C}\n\r\t\\", "x"])
        #expect(leaks.leaks.map(\.subject) == ["Hub.subs → X", "0123456789abcdef"])
        #expect(leaks.leaks.map(\.expires) == [nil, "2028-02-29"])
        #expect(try KnownLeaks(json: " [] ").leaks.isEmpty)
    }

    @Test func limitsOfDepthEntriesAndSizeAreEnforced() throws {
        let deep = String(repeating: "[", count: 500_000)
        #expect(throws: KnownLeaksError.self) { try KnownLeaks(json: deep) }
        func list(_ count: Int) -> String {
            "[\((0..<count).map { "{\"pattern\":\"A\($0)\",\"reason\":\"x\"}" }.joined(separator: ","))]"
        }
        #expect(try KnownLeaks(json: list(KnownLeaks.entryLimit)).leaks.count == KnownLeaks.entryLimit)
        let tooMany = #expect(throws: KnownLeaksError.self) { try KnownLeaks(json: list(KnownLeaks.entryLimit + 1)) }
        #expect(tooMany?.description == "Known leaks: The list has 10001 known leaks. List at most 10000.")
        let long = "[]" + String(repeating: " ", count: KnownLeaks.fileLimit - 2)
        #expect(try KnownLeaks(json: long).leaks.isEmpty)
        let tooLong = #expect(throws: KnownLeaksError.self) { try KnownLeaks(json: long + " ") }
        #expect(tooLong?.description == "Known leaks: The list has 1048577 bytes. Use at most 1048576 bytes.")
    }

    @Test func fileErrorsNameTheFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "known-leaks-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "known-leaks.json")
        func message(_ bytes: [UInt8]) throws -> String {
            try Data(bytes).write(to: file)
            let error = #expect(throws: KnownLeaksError.self) { try KnownLeaks(contentsOf: file.path) }
            return error?.description ?? "none"
        }
        let missing = #expect(throws: KnownLeaksError.self) { try KnownLeaks(contentsOf: file.path) }
        #expect(missing?.description.hasPrefix("\(file.path): The file cannot be opened: No such file") == true)
        let directory = #expect(throws: KnownLeaksError.self) { try KnownLeaks(contentsOf: folder.path) }
        #expect(
            directory?.description == "\(folder.path): The path is not a regular file. Give the path of a regular file."
        )
        #expect(try message(Array("[\n3]".utf8)).hasPrefix("\(file.path), line 2: An object is expected"))
        #expect(
            try message(Array("[\"".utf8) + [0xFF, 0x22, 0x5D]).hasPrefix(
                "\(file.path), line 1: A string is not UTF-8."))
        #expect(
            try message(Array(repeating: 0x20, count: 1 << 21)).hasPrefix(
                "\(file.path): The file has more than 1048576 bytes."))
        try Data("[{\"pattern\": \"A\", \"reason\": \"x\"}]".utf8).write(to: file)
        #expect(try KnownLeaks(contentsOf: file.path).leaks.count == 1)
    }
}
