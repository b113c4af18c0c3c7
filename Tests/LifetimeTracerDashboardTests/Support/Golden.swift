import Foundation
import Testing

/// Compares whole bodies with the files in `Fixtures/`.
///
/// To rewrite the files, set `LIFETIME_TRACER_REWRITE_FIXTURES=1`, run the tests, and review the difference.
enum Golden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    static func expect(
        _ text: String, equals name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["LIFETIME_TRACER_REWRITE_FIXTURES"] == "1" {
            try Data((text + "\n").utf8).write(to: file)
        }
        let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(text + "\n" == expected, "\(name) differs", sourceLocation: sourceLocation)
    }
}
