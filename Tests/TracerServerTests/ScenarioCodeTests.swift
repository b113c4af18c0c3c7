import Foundation
import Testing

@testable import tracer_server

/// The lines of code that scenarios show exist in the demo's source.
@Suite struct ScenarioCodeTests {
    @Test(arguments: Scenario.all.map(\.name))
    func displayedCodeLinesExistInTheSource(_ name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/tracer-server/Scenarios").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        #expect(files.count > 5)
        // The displayed lines are also string literals in the source. Those must not count.
        let source = try files.map { Self.withoutStringLiterals(try String(contentsOf: $0, encoding: .utf8)) }.joined()
        let scenario = try #require(Scenario.all.first { $0.name == name })
        for form in scenario.forms {
            #expect(!form.code.isEmpty)
            for line in form.code.split(separator: "\n") {
                #expect(source.contains(Self.withoutWhitespace(String(line))), "\(form.form): \(line)")
            }
        }
        #expect(scenario.forms[0].code != scenario.forms[1].code)
    }

    private static func withoutStringLiterals(_ source: String) -> String {
        let parts = source.components(separatedBy: "\"\"\"")
        let outside = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        return withoutWhitespace(outside.joined(separator: "\n"))
    }

    private static func withoutWhitespace(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
