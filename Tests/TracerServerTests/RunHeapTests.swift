import Foundation
import RetainPaths
import Testing

@testable import tracer_server

/// Captures of a program that does not link the library, under the real `run`.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled("captures are not available") { await RetainPaths.availability() == .available })
struct RunHeapTests {
    /// A run of `plain-program` with a known heap.
    private struct KnownHeapRun {
        let run: ProgramRun
        let base: String

        init() async throws {
            run = try ProgramRun(["run", "--listen", "0", "--", Builds.plainProgram.path, "known-heap"])
            base = try await run.servedAddress()
            let run = run
            _ = try await eventually("the program has made its objects") { run.lines.first { $0 == "made" } }
        }

        func output(_ command: String, _ options: [String] = [], status: Int32 = 0) async throws -> String {
            let heap = try ProgramRun([command, base] + options)
            #expect(try await heap.exitStatus() == status, "\(heap.standardOutput)\(heap.standardError)")
            return heap.standardOutput
        }

        func heap<Value: Decodable>(_ options: [String] = [], as type: Value.Type) async throws -> Value {
            try JSONDecoder().decode(type, from: Data(try await output("heap", ["--json"] + options).utf8))
        }
    }

    /// The kinds of lines with objects of Swift.
    private static let ofSwift: Set = ["class", "actor", "storage", "closure", "box", "task", "foundation"]

    @Test func censusHasTheProgramsObjectsAndOneLineForTheTracer() async throws {
        let program = try await KnownHeapRun()
        let lines = try await program.heap(as: WireHeapLines.self).types
        let classes = lines.filter { $0.kind == "class" && $0.name.hasPrefix("Plain") }
        #expect(
            Dictionary(uniqueKeysWithValues: classes.map { ($0.name, $0.count) })
                == ["PlainNote": 230, "PlainBinder": 1, "PlainScreen": 3, "PlainModel": 3])
        // The texts of the notes, and the path of the program in its arguments.
        #expect(lines.filter { $0.name == "String" }.map(\.count) == [231])
        // Dispatch keeps a mark of the tracer for the main queue.
        let others = lines.filter { Self.ofSwift.contains($0.kind) && !$0.name.contains("Plain") }
        let expected: Set = ["String", "Array<String>", "__SwiftValue", "box of Optional<Any>"]
        #expect(Set(others.map(\.name)).isSubset(of: expected), "\(others)")
        let tracer = lines.filter { $0.kind == "tracer" }
        #expect(tracer.count == 1 && tracer[0].count > 1000, "\(tracer)")
    }

    @Test func treeHasOneRootForTheTracer() async throws {
        let program = try await KnownHeapRun()
        let groups = try await program.heap(["--tree", "--count", "500"], as: WireHeapGroups.self).groups
        let tracer = groups.filter { $0.name == "LifetimeTracer itself" }
        #expect(tracer.map(\.root) == [true] && tracer[0].count > 1000, "\(tracer)")
        #expect(!groups.contains { $0.parent == tracer.first?.id })
        let names = groups.filter(\.root).map(\.name)
        #expect(names.contains("static KnownHeap.shelf") && names.contains("thread 'plain-program'"), "\(names)")
        #expect(!names.contains { $0.contains("tracer") || $0.contains("TypeLayouts") }, "\(names)")
        #expect(groups.contains { $0.name == "PlainBinder" })
    }

    @Test func programThatDoesNotGrowShowsNoGrowth() async throws {
        let program = try await KnownHeapRun()
        // The first capture makes metadata for the types of the tracer.
        for _ in 0..<2 { _ = try await program.output("heap") }
        let changes = try await program.heap(["--since", "2"], as: WireHeapDiff.self).types
        let grown = changes.filter { Self.ofSwift.contains($0.kind) && ($0.countChange != 0 || $0.bytesChange != 0) }
        #expect(grown.isEmpty, "\(grown)")
        let unknown = changes.filter { $0.kind == "unknown" }.reduce(0) { $0 + $1.bytesChange }
        #expect(abs(unknown) < 16 << 10, "\(changes)")
        #expect(changes.contains { $0.kind == "tracer" && $0.bytesChange > 0 }, "\(changes)")
    }

    @Test func leakedObjectsAreFound() async throws {
        let program = try await KnownHeapRun()
        #expect(try await program.output("leaks", status: 1).contains("\n3 leaks\n"))
        let cycles = try await program.output("heap", ["--paths", "PlainScreen"])
        #expect(cycles.contains("3 of 3 by their own cycle, which no root but perhaps a stack reaches"), "\(cycles)")
        let texts = try await program.output("heap", ["--paths", "String"])
        #expect(texts.contains("String: 231 now, all examined."), "\(texts)")
        #expect(texts.contains("200 of 231 by static KnownHeap.shelf"), "\(texts)")
    }
}
