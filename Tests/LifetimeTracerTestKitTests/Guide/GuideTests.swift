import Foundation
import Testing

/// The guide shows code that these tests run: each marked block of the guide equals the text between the marks in a
/// test.
@Suite struct GuideTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static var guide: URL {
        folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Documentation/Testing.md")
    }

    @Test func guideShowsTheCodeOfTheTests() throws {
        let shown = try blocks(of: String(contentsOf: Self.guide, encoding: .utf8))
        var run: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" && !file.lastPathComponent.hasPrefix("GuideTests") {
            run.merge(try regions(of: String(contentsOf: file, encoding: .utf8))) { first, _ in first }
        }
        #expect(run.count == 19)
        #expect(Set(shown.keys) == Set(run.keys))
        for (name, text) in run { #expect(shown[name] == text, "the block '\(name)' of the guide") }
    }

    /// The lines between `// guide: name` and `// guide: end`, without their common indentation.
    private func regions(of source: String) throws -> [String: String] {
        var regions: [String: String] = [:]
        var (name, lines): (String?, [Substring]) = (nil, [])
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed == "// guide: end" {
                regions[try #require(name)] = lines.map { $0.dropFirst(4) }.joined(separator: "\n")
                (name, lines) = (nil, [])
            } else if trimmed.hasPrefix("// guide: ") {
                name = String(trimmed.dropFirst(10))
            } else if name != nil {
                lines.append(line)
            }
        }
        return regions
    }

    /// The code blocks after the lines `<!-- guide: name -->`.
    private func blocks(of guide: String) throws -> [String: String] {
        var blocks: [String: String] = [:]
        for part in guide.components(separatedBy: "<!-- guide: ").dropFirst() {
            let pieces = part.components(separatedBy: " -->\n```swift\n")
            let (name, rest) = (try #require(pieces.first), try #require(pieces.dropFirst().first))
            blocks[name] = rest.components(separatedBy: "\n```").first
        }
        return blocks
    }
}
