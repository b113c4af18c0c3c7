import Foundation
import Testing

/// The guide and the README show code that these tests run: each marked block equals the text between the marks in a
/// test.
///
/// The target of these tests has no package access, so other packages can compile the code, too.
@Suite struct GuideTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static var documents: [URL] {
        ["README.md", "Documentation/Testing.md"].map {
            folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: $0)
        }
    }

    @Test func documentsShowTheCodeOfTheTests() throws {
        var shown: [String: String] = [:]
        for document in Self.documents {
            shown.merge(try blocks(of: String(contentsOf: document, encoding: .utf8))) { first, _ in first }
        }
        var run: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" && !file.lastPathComponent.hasPrefix("GuideTests") {
            run.merge(try regions(of: String(contentsOf: file, encoding: .utf8))) { first, _ in first }
        }
        #expect(run.count == 27)
        #expect(Set(shown.keys) == Set(run.keys))
        for (name, text) in run { #expect(shown[name] == text, "the block '\(name)'") }
    }

    /// The lines between `// guide: name` and `// guide: end`, without the indentation of the first mark.
    private func regions(of source: String) throws -> [String: String] {
        var regions: [String: String] = [:]
        var (name, indentation, lines): (String?, Int, [Substring]) = (nil, 0, [])
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed == "// guide: end" {
                regions[try #require(name)] = lines.map { $0.dropFirst(indentation) }.joined(separator: "\n")
                (name, indentation, lines) = (nil, 0, [])
            } else if trimmed.hasPrefix("// guide: ") {
                name = String(trimmed.dropFirst(10))
                indentation = line.prefix { $0 == " " }.count
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
