import ForkTesting
import Foundation
import LifetimeTracer
import RetainPaths
import Testing

@testable import LifetimeTracerTestKit

/// The file of known leaks that the environment names.
///
/// Each test runs in its own process, because the file is read once.
@Suite(.enabled("there are retain paths") { await RetainPaths.availability() == .available })
struct KnownLeaksFileTests {
    @Test func knownLeaksFileAppliesToReleaseChecks() async {
        await #expect(processExitsWith: .success) {
            let entry = #"[{"pattern": "Pair.other → Pair", "reason": "pairs are to be parted"}]"#
            try KnownLeaksFileTests.useFile(entry)
            let finding = await KnownLeaksFileTests.finding(on: Pair())
            demand(finding?.weight == .warning)
            let text = finding?.text ?? ""
            demand(text.hasPrefix("Known leak, Pair #1 is still alive: Pair.other → Pair: pairs are to be "))
        }
    }

    @Test func failureReportsAnUnusableKnownLeaksFile() async {
        await #expect(processExitsWith: .success) {
            try KnownLeaksFileTests.useFile("no JSON")
            let finding = await KnownLeaksFileTests.finding(on: Pair())
            demand(finding?.weight == .failure)
            demand(finding?.text.contains("LIFETIME_TRACER_KNOWN_LEAKS is invalid: ") == true)
        }
    }

    /// Makes the current process read its known leaks from a file with the text.
    private static func useFile(_ text: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "known-leaks-\(UUID()).json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        setenv("LIFETIME_TRACER_KNOWN_LEAKS", file.path(), 1)
        _ = KnownLeaksFile.leaks
        try FileManager.default.removeItem(at: file)
    }

    /// The finding on a pair whose objects hold each other.
    private static func finding(on pair: consuming Pair) async -> Finding? {
        pair.other = pair
        let check = ReleaseCheck(pair.lifetime, within: .zero, because: nil)
        _ = consume pair
        return await check.finding()
    }
}
