import Foundation
import Testing

/// The library that the zoo loads when it runs, compiled into a temporary folder.
///
/// The library is no product of the package, because users of the package would see it.
final class GuestLibrary: Sendable {
    private let folder: URL
    var path: String { folder.appending(path: "libGuest.so").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "guest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let source = tests.deletingLastPathComponent().appending(path: "ClassZoo/Guest/Guest.swift")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-parse-as-library", "-emit-library", source.path, "-o", path]
        compiler.currentDirectoryURL = folder
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "swiftc")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
