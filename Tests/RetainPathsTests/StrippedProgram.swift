import ForkTesting
import Foundation

/// A copy of a built program without symbols, beside the original.
struct StrippedProgram {
    /// The name of the copy.
    let name: String
    private let file: URL

    /// Copies and strips a program that was built together with the tests.
    init(of original: String) throws {
        let folder = try BuiltProgram.folder()
        name = "\(original)-stripped-\(UUID().uuidString)"
        file = folder.appending(path: name)
        let strip = Process()
        strip.executableURL = URL(filePath: "/usr/bin/env")
        strip.arguments = ["strip", "-o", file.path, folder.appending(path: original).path]
        try strip.run()
        strip.waitUntilExit()
        guard strip.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    func remove() {
        try? FileManager.default.removeItem(at: file)
    }
}
