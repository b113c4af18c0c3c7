#if canImport(XCTest)
import Foundation

/// Finds the line of a test method in the sources of its package, because XCTest does not reveal it.
///
/// `swift test` runs tests in the folder of the package. Elsewhere, and for a method whose name the file does not spell
/// out, there is no answer.
enum TestSource {
    /// The most files that are read; a package with more gets an answer only if the file is among them.
    private static let fileLimit = 5000
    private static let sizeLimit = 1 << 20

    /// The place of a test method.
    struct Place: Equatable {
        /// The full path of the file.
        let file: String
        /// The line, from 1.
        let line: Int
    }

    /// Returns the line of `func method(` in the class, from a Swift file in the folder or a folder below it.
    static func place(
        of method: String, in className: String, below folder: String = FileManager.default.currentDirectoryPath
    ) -> Place? {
        let root = URL(fileURLWithPath: folder)
        let files = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: [.fileSizeKey], options: [.skipsHiddenFiles])
        var read = 0
        while let file = files?.nextObject() as? URL, read < fileLimit {
            guard file.pathExtension == "swift",
                let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= sizeLimit,
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { continue }
            read += 1
            if let line = line(of: method, in: className, text) { return Place(file: file.path, line: line) }
        }
        return nil
    }

    /// Returns the line of the method's declaration behind the declaration of its class.
    static func line(of method: String, in className: String, _ text: String) -> Int? {
        guard text.contains("class \(className)") else { return nil }
        var isInClass = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if declares("class \(className)", line) { isInClass = true }
            if isInClass, line.contains("func \(method)(") { return index + 1 }
        }
        return nil
    }

    /// Whether the line contains the words as a whole, and is not a comment.
    private static func declares(_ words: String, _ line: Substring) -> Bool {
        guard let range = line.range(of: words), !line.drop(while: \.isWhitespace).hasPrefix("//") else { return false }
        guard range.upperBound < line.endIndex else { return true }
        let next = line[range.upperBound]
        return !next.isLetter && !next.isNumber && next != "_"
    }
}
#endif
