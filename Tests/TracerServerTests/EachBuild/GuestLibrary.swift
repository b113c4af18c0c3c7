import Foundation
import Testing

/// A library that programs do not link, compiled into a temporary folder.
///
/// The libraries are no products of the package, because users of the package would see them.
final class GuestLibrary: Sendable {
    /// The libraries whose sources `Tests/ClassZoo/Guest` contains.
    enum Source: String {
        /// The class `Guest`, and a function that creates objects.
        case guest = "Guest.swift"
        /// The same function in C, which does nothing.
        case guestInC = "Guest.c"
        /// A library in C, which loads the guest.
        case host = "GuestHost.c"
        /// A program in C, which loads the guest.
        case program = "GuestProgram.c"
        /// A program that is built with AddressSanitizer.
        case sanitized = "Sanitized.swift"
        /// A library in C to preload, which replaces a function of the Swift runtime.
        case replacedRuntime = "ReplacedRuntime.c"

        fileprivate var compiler: [String] {
            switch self {
            case .guest: ["swiftc", "-parse-as-library", "-emit-library"]
            case .program: ["clang"]
            case .sanitized: ["swiftc", "-Onone", "-parse-as-library", "-sanitize=address"]
            case .guestInC, .host, .replacedRuntime: ["clang", "-shared", "-fPIC"]
            }
        }
    }

    private let folder: URL
    var path: String { folder.appending(path: "libGuest.so").path }

    init(_ source: Source = .guest) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "guest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appending(path: "ClassZoo/Guest/\(source.rawValue)")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = source.compiler + [file.path, "-o", path]
        compiler.currentDirectoryURL = folder
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "\(source.compiler)")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
