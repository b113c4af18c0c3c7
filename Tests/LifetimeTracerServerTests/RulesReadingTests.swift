import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerServer

/// The file of rules.
@Suite struct RulesReadingTests {
    private static let known = #"{"pattern": "Hub.subs → Screen", "reason": "see the ticket"}"#

    @Test func aFileIsReadWithAllItsProperties() throws {
        let rules = try Rules(
            json: """
                {
                  "$schema": "rules.schema.json",
                  "types": [
                    {"pattern": "Shop.Session", "budget": 100, "maximumAgeSeconds": 0.5},
                    {"pattern": " Shop.*Cache ", "expectedGrowth": "fills up", "budget": null},
                    {"pattern": "*", "leaveOut": false, "maximumAgeSeconds": null, "expectedGrowth": null},
                    {"pattern": "Vendor.*", "leaveOut": true}
                  ],
                  "groups": [{"name": "screens", "patterns": ["*Screen", "Shop.Flow"], "budget": 3e1},
                             {"name": "others", "patterns": ["Vendor.*"]}],
                  "knownLeaks": [\(Self.known)]
                }
                """)
        let types = rules.registry.types
        #expect(types.map(\.pattern.description) == ["Shop.Session", " Shop.*Cache ", "*", "Vendor.*"])
        #expect(types.map(\.budget) == [.value(100), .null, nil, nil])
        #expect(types.map(\.maximumAge) == [.value(.seconds(0.5)), nil, .null, nil])
        #expect(types.map(\.expectedGrowth) == [nil, .value("fills up"), .null, nil])
        #expect(types.map(\.leavesOut) == [nil, nil, false, true])
        let groups = rules.registry.groups
        #expect(groups.map(\.name) == ["screens", "others"] && groups.map(\.budget) == [30, nil])
        #expect(groups.map { $0.patterns.map(\.description) } == [["*Screen", "Shop.Flow"], ["Vendor.*"]])
        #expect(rules.knownLeaks.leaks.map(\.reason) == ["see the ticket"])
        #expect(rules.file == nil)
    }

    @Test(arguments: ["{}", " {\"types\":[], \"groups\":[],\n\"knownLeaks\":[]} "])
    func aFileWithoutRulesIsValid(json: String) throws {
        let rules = try Rules(json: json)
        #expect(rules.registry.types.isEmpty && rules.registry.groups.isEmpty && rules.knownLeaks.leaks.isEmpty)
    }

    /// The texts that the reader refuses, with the beginning of the message.
    static let refused: [(json: String, message: String)] = [
        ("", "line 1: A value is expected, but the end of the text follows."),
        ("[]", "line 1: An object is expected for the rules, but the file contains a list. Write {\"types\": […]}."),
        ("{} {}", "line 1: The end of the text is expected"),
        ("{\"types\": [],\n\"types\": []}", "line 2: The name \"types\" is given twice. Keep one of them."),
        (
            "{\n\"budgets\": {}}",
            "line 2: The unknown name \"budgets\" stands in the rules. Use $schema, types, groups, knownLeaks."
        ),
        ("{\"$schema\": 1}", "line 1: The value of \"$schema\" is a number. Write a string."),
        ("{\"types\": {}}", "line 1: The value of \"types\" is an object. Write a list."),
        ("{\"types\": null}", "line 1: The value of \"types\" is null. Write a list."),
        ("{\"groups\": \"ui\"}", "line 1: The value of \"groups\" is a string. Write a list."),
        ("{\"types\": [[[[[[[]]]]]]]}", "line 1: Lists and objects are nested more than 6 levels deep."),
        // Rules for types.
        ("{\"types\": [\"A\"]}", "line 1: An object is expected for a rule for types, but the file contains a str"),
        ("{\"types\":\n[\n{}]}", "line 3: A rule for types has no pattern. Add \"pattern\"."),
        ("{\"types\": [{\"budget\": 1}]}", "line 1: A rule for types has no pattern."),
        ("{\"types\": [{\"pattern\": 1, \"budget\": 1}]}", "line 1: A pattern is a number. Write a string."),
        ("{\"types\": [{\"pattern\": \"\", \"budget\": 1}]}", "line 1: A pattern is empty. Write the name of a type"),
        ("{\"types\": [{\"pattern\": \"  \", \"budget\": 1}]}", "line 1: A pattern is empty."),
        (
            "{\"types\": [{\"pattern\": \"A\\u0000\", \"budget\": 1}]}",
            "line 1: The pattern 'A\\u{0}' contains a control character"
        ),
        (
            "{\"types\": [{\"pattern\": \"A\"}]}",
            "line 1: The rule for 'A' states nothing. Add budget, maximumAgeSeconds, expectedGrowth or leaveOut."
        ),
        (
            "{\"types\": [{\"pattern\": \"A\",\n\"Budget\": 1}]}",
            "line 2: The unknown name \"Budget\" stands in a rule for types. Use pattern, budget, maximumAgeSeconds, "
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"budget\": 1},\n{\"pattern\": \"A \", \"leaveOut\": true}]}",
            "line 2: The pattern 'A ' is listed a second time; the first is on line 1. Keep one of them."
        ),
        ("{\"types\": [{\"pattern\": \"A\", \"budget\": -1}]}", "line 1: The value of \"budget\" is -1. Write a whole"),
        ("{\"types\": [{\"pattern\": \"A\", \"budget\": 1.5}]}", "line 1: The value of \"budget\" is 1.5."),
        ("{\"types\": [{\"pattern\": \"A\", \"budget\": 1e30}]}", "line 1: The value of \"budget\" is 1e30."),
        ("{\"types\": [{\"pattern\": \"A\", \"budget\": \"9\"}]}", "line 1: The value of \"budget\" is a string."),
        (
            "{\"types\": [{\"pattern\": \"A\", \"maximumAgeSeconds\": -0.1}]}",
            "line 1: The value of \"maximumAgeSeconds\" is -0.1. Write a number of seconds from 0 to 31536000 (365 "
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"maximumAgeSeconds\": 31536001}]}",
            "line 1: The value of \"maximumAgeSeconds\" is 31536001."
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"maximumAgeSeconds\": 1e999}]}",
            "line 1: The value of \"maximumAgeSeconds\" is 1e999."
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"maximumAgeSeconds\": \"30s\"}]}",
            "line 1: The value of \"maximumAgeSeconds\" is a string."
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"expectedGrowth\": true}]}",
            "line 1: The value of \"expectedGrowth\" is a boolean. Write a string: the reason"
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"expectedGrowth\": \" \"}]}",
            "line 1: The reason in \"expectedGrowth\" is empty. State why growth is expected."
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"leaveOut\": null}]}",
            "line 1: The value of \"leaveOut\" is null. Write true or false."
        ),
        (
            "{\"types\": [{\"pattern\": \"A\", \"leaveOut\": true, \"budget\": 1}]}",
            "line 1: The rule for 'A' leaves types out and states more about them. Keep \"leaveOut\" alone"
        ),
        // Groups.
        ("{\"groups\": [1]}", "line 1: An object is expected for a group, but the file contains a number."),
        ("{\"groups\": [{\"patterns\": [\"A\"]}]}", "line 1: A group has no name. Add \"name\"."),
        ("{\"groups\": [{\"name\": \"\", \"patterns\": [\"A\"]}]}", "line 1: A group has no name."),
        ("{\"groups\": [{\"name\": 1, \"patterns\": [\"A\"]}]}", "line 1: The value of \"name\" is a number."),
        ("{\"groups\": [{\"name\": \"ui\"}]}", "line 1: The group 'ui' has no patterns. List the patterns"),
        ("{\"groups\": [{\"name\": \"ui\", \"patterns\": []}]}", "line 1: The group 'ui' has no patterns."),
        ("{\"groups\": [{\"name\": \"ui\", \"patterns\": \"A\"}]}", "line 1: The value of \"patterns\" is a string."),
        ("{\"groups\": [{\"name\": \"ui\", \"patterns\": [null]}]}", "line 1: A pattern is null. Write a string."),
        (
            "{\"groups\": [{\"name\": \"ui\", \"patterns\": [\"A\"], \"budget\": null}]}",
            "line 1: The value of \"budget\" is null. Write a whole number from 0"
        ),
        (
            "{\"groups\": [{\"name\": \"ui\", \"patterns\": [\"A\"], \"types\": []}]}",
            "line 1: The unknown name \"types\" stands in a group. Use name, patterns, budget."
        ),
        (
            "{\"groups\": [{\"name\": \"ui\", \"patterns\": [\"A\"]},\n{\"name\": \"ui\", \"patterns\": [\"B\"]}]}",
            "line 2: The group 'ui' is listed a second time; the first is on line 1. Put the patterns of both into one."
        ),
        (
            "{\"groups\": [{\"name\": \"ui\", \"patterns\": [\"A\"]},\n{\"name\": \"b\", \"patterns\": [\"A\"]}]}",
            "line 2: The pattern 'A' is listed a second time; the first is on line 1."
        ),
        // Known leaks.
        ("{\"knownLeaks\": {}}", "line 1: The value of \"knownLeaks\" is an object. Write the path of a file of known"),
        ("{\"knownLeaks\": \"\"}", "line 1: The path of \"knownLeaks\" is empty. Write the path of a file of known"),
        ("{\"knownLeaks\":\n[{\"pattern\": \"A\"}]}", "line 2: The known leak 'A' has no reason. State in \"reason\""),
        (
            "{\"knownLeaks\": [{\"pattern\": \"A\", \"reason\": \"x\", \"why\": \"y\"}]}",
            "line 1: A known leak has the unknown name \"why\"."
        ),
        (
            "{\"knownLeaks\": \"/nonexistent/leaks.json\"}",
            "/nonexistent/leaks.json: The file cannot be opened: No such"
        ),
    ]

    @Test(arguments: refused) func invalidRulesAreRefusedWithLineAndRemedy(json: String, message: String) {
        let error = #expect(throws: RulesError.self) { try Rules(json: json) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "none")")
    }

    @Test func messagesQuoteWithoutControlCharacters() {
        let error = #expect(throws: RulesError.self) { try Rules(json: #"{"\u001b[2J": 1}"#) }
        #expect(error?.message == #"The unknown name "\u{1b}[2J" stands in the rules."#)
    }

    @Test func theNumberOfPatternsAndTheSizeAreLimited() throws {
        func json(_ types: Int, _ inGroup: Int) -> String {
            let rules = (0..<types).map { "{\"pattern\": \"A\($0)\", \"budget\": 1}" }.joined(separator: ",")
            let patterns = (0..<inGroup).map { "\"B\($0)\"" }.joined(separator: ",")
            return "{\"types\": [\(rules)], \"groups\": [{\"name\": \"b\", \"patterns\": [\(patterns)]}]}"
        }
        #expect(try Rules(json: json(900, 100)).registry.types.count == 900)
        let tooMany = #expect(throws: RulesError.self) { try Rules(json: json(900, 101)) }
        #expect(tooMany?.description == "Rules: The rules have 1001 patterns. Use at most 1000; patterns can have *.")
        let long = "{}" + String(repeating: " ", count: Rules.fileLimit - 2)
        #expect(try Rules(json: long).registry.types.isEmpty)
        let tooLong = #expect(throws: RulesError.self) { try Rules(json: long + " ") }
        #expect(tooLong?.message == "The text has 1048577 bytes.")
    }

    @Test func fileErrorsNameTheFile() throws {
        let folder = try TestFolder()
        let file = folder.path("rules.json")
        func message(_ text: String?) throws -> String {
            if let text { try Data(text.utf8).write(to: URL(filePath: file)) }
            let error = #expect(throws: RulesError.self) { try Rules(contentsOf: file) }
            return error?.description ?? "none"
        }
        #expect(try message(nil).hasPrefix("\(file): The file cannot be opened: No such file"))
        #expect(try message("{\n\"types\": 1}").hasPrefix("\(file), line 2: The value of \"types\" is a number."))
        #expect(
            try message(String(repeating: " ", count: 1 << 21)).hasPrefix(
                "\(file): The file has more than 1048576 bytes."))
        let directory = #expect(throws: RulesError.self) { try Rules(contentsOf: folder.path) }
        #expect(directory?.message == "The path is not a regular file.")
    }

    @Test func aPathOfKnownLeaksBeginsAtTheFolderOfTheRules() throws {
        let folder = try TestFolder()
        let (file, leaks) = (folder.path("rules.json"), folder.path("known.json"))
        try Data("[\(Self.known)]".utf8).write(to: URL(filePath: leaks))
        for path in ["known.json", leaks] {
            try Data("{\"knownLeaks\": \"\(path)\"}".utf8).write(to: URL(filePath: file))
            let rules = try Rules(contentsOf: file)
            #expect(rules.knownLeaks.leaks.map(\.reason) == ["see the ticket"] && rules.file == file)
        }
        try Data("[\n1]".utf8).write(to: URL(filePath: leaks))
        let error = #expect(throws: RulesError.self) { try Rules(contentsOf: file) }
        #expect(error?.description.hasPrefix("\(leaks), line 2: An object is expected for a known leak") == true)
    }
}
