#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

// The types of the planted objects. No other test makes instances of them.

private final class PathThing {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class PathSample {}
private final class PathGone {}
private final class PathRow {}
private final class PathLimit {}
private final class PathCaptured {}
private final class PathOfTwoClosures {}
private final class PathLoop: @unchecked Sendable {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var next: PathLoop?
}

private final class PathItem {
    var next: PathItem?
    init(_ next: PathItem?) { self.next = next }
}

/// The static variables that hold the planted objects.
private final class PathStore: @unchecked Sendable {
    // `@unchecked Sendable` is safe because each property belongs to one test.
    static let shared = PathStore()
    static let other = PathStore()

    var entries: [String: PathThing] = [:]
    var things: [PathThing] = []
    var samples: [PathSample] = []
    var list: PathItem?
    var rows: [[PathRow]] = []
    var actions: [() -> Int] = []
    var captures: [() -> Int] = []
    var gone: PathGone?
    var limited: PathLimit?
}

/// The holders of all objects of a type, in groups.
@Suite(.disabledUnderSanitizers) struct HeapPathsTests {
    private func paths(
        to type: String, kind: HeapGraph.Line.Kind? = .instance, sample: Int = HeapGraph.usualSample
    ) async throws -> HeapGraph.Paths {
        try await HeapGraph.capture(options: Engine.patient).paths(
            to: type, kind: kind, sample: sample, options: Engine.patient)
    }

    private func sum(_ paths: HeapGraph.Paths) -> Int { paths.groups.reduce(0) { $0 + $1.count } }

    @Test func objectsAreGroupedByTheRootThatHoldsThem() async throws {
        for number in 0..<300 { PathStore.shared.entries["thing \(number)"] = PathThing(number) }
        for number in 0..<20 { PathStore.other.things.append(PathThing(number)) }
        let found = try await paths(to: "PathThing")
        #expect(found.count == 320 && found.examined == 320 && sum(found) == 320)
        #expect(found.headline == "PathThing: 320 now, all examined.")
        try #require(found.groups.count == 2, "\(found.text())")
        let (first, second) = (found.groups[0], found.groups[1])
        #expect(first.count == 300 && first.status == .reachable && first.throughOthers == 0)
        #expect(first.headline(of: 320) == "300 of 320 by static PathStore.shared")
        #expect(first.signature == "static PathStore.shared → PathStore.entries → PathThing")
        #expect(first.lines().map(\.text) == ["static PathStore.shared", ".entries[…]", "PathThing"])
        #expect(first.fingerprint != nil && first.fingerprint != second.fingerprint)
        #expect(second.count == 20 && second.signature == "static PathStore.other → PathStore.things → PathThing")
        let byType = try await paths(to: "RetainPathsTests.PathThing", kind: nil)
        #expect(byType.groups.map(\.count) == [300, 20])
        #expect(byType.groups.map(\.fingerprint) == found.groups.map(\.fingerprint), "the same in each search")
        // A single object keeps its index.
        PathStore.shared.entries = [:]
        PathStore.other.things.removeLast(19)
        let rest = try await paths(to: "PathThing")
        #expect(rest.groups.first?.lines().map(\.text) == ["static PathStore.other", ".things[0]", "PathThing"])
        PathStore.other.things = []
    }

    @Test func sampleIsSpreadOverTheHeap() async throws {
        for _ in 0..<2000 { PathStore.shared.samples.append(PathSample()) }
        for _ in 0..<2000 { PathStore.other.samples.append(PathSample()) }
        let found = try await paths(to: "PathSample", sample: 100)
        #expect(found.count == 4000 && found.examined == 100 && sum(found) == 100)
        #expect(found.headline == "PathSample: 4,000 now, 100 of them examined, spread evenly over the heap.")
        try #require(found.groups.count == 2, "\(found.text())")
        // A sample of the first blocks of the heap would miss one of the two.
        #expect(found.groups.allSatisfy { (20...80).contains($0.count) }, "\(found.text())")
        PathStore.shared.samples = []
        PathStore.other.samples = []
    }

    @Test func nodesOfAListAreHeldByItsHolder() async throws {
        for _ in 0..<40 { PathStore.shared.list = PathItem(PathStore.shared.list) }
        let found = try await paths(to: "PathItem")
        try #require(found.groups.count == 1, "\(found.text())")
        #expect(found.groups[0].count == 40 && found.groups[0].throughOthers == 39)
        #expect(found.groups[0].lines().map(\.text) == ["static PathStore.shared", ".list", "PathItem"])
        #expect(found.groups[0].headline(of: 40).hasSuffix("39 of them through another PathItem"))
        while let node = PathStore.shared.list { PathStore.shared.list = node.next }
    }

    @Test func leakedObjectsAreHeldByTheirCycle() async throws {
        var loops: [Unmanaged<PathLoop>] = []
        for _ in 0..<5 {
            let (one, two) = (PathLoop(), PathLoop())
            (one.next, two.next) = (two, one)
            loops.append(Unmanaged.passUnretained(one))
        }
        let found = try await paths(to: "PathLoop")
        let cycles = found.groups.filter { $0.status == .cycle }
        #expect(found.count == 10 && cycles.count == 1 && cycles.first?.count == 10, "\(found.text())")
        #expect(cycles.first?.cycle != nil)
        for loop in loops { loop.takeUnretainedValue().next = nil }
    }

    @Test func storageAndClosuresHavePaths() async throws {
        PathStore.other.rows = (0..<30).map { _ in [PathRow()] }
        let rows = try await paths(to: "Array<PathRow>", kind: .storage)
        #expect(rows.groups.contains { $0.count == 30 && $0.signature.contains("PathStore.rows") }, "\(rows.text())")
        for number in 0..<12 {
            let thing = PathCaptured()
            PathStore.other.actions.append { ObjectIdentifier(thing).hashValue &+ number }
        }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let closure = try #require(
            graph.lines.first {
                $0.kind == .closure && $0.count == 12 && $0.name.contains("storageAndClosuresHavePaths")
            })
        let found = try await graph.paths(to: closure.name, kind: .closure, options: Engine.patient)
        #expect(found.count == 12, "\(found.text())")
        #expect(found.groups.first?.signature.hasPrefix("static PathStore.other → PathStore.actions") == true)
        PathStore.other.actions = []
        PathStore.other.rows = []
    }

    @Test func closuresOfAFunctionAreGroupsOfTheirOwn() async throws {
        let things = (0..<3).map { _ in PathOfTwoClosures() }
        PathStore.other.captures.append { [thing = things[0]] in ObjectIdentifier(thing).hashValue }
        for thing in things.dropFirst() {
            PathStore.other.captures.append { [thing] in ~ObjectIdentifier(thing).hashValue }
        }
        let found = try await paths(to: "PathOfTwoClosures")
        PathStore.other.captures = []
        #expect(found.groups.map(\.count) == [2, 1], "\(found.text())")
        #expect(Set(found.groups.map(\.fingerprint)).count == 1, "the function is the same")
        let closures = found.groups.compactMap { $0.path.first { $0.kind == .closure }?.name }
        #expect(Set(closures).count == 2, "\(closures)")
    }

    @Test func typeWithoutObjectsNowIsNoError() async throws {
        // Held by a static variable, because the optimiser would place an object of the function on the stack.
        PathStore.other.gone = PathGone()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let line = try #require(graph.lines(named: "PathGone", kind: .instance).first)
        PathStore.other.gone = nil
        let found = try await graph.paths(to: "PathGone", options: Engine.patient)
        #expect(found.count == 0 && found.groups.isEmpty)
        #expect(found.headline == "PathGone: none now; the capture had \(line.count).")
    }

    @Test func unknownTypeIsAnError() async throws {
        let graph = try await HeapGraph.capture(options: Engine.patient)
        for name in ["PathNobody", "", "C and unknown", "LifetimeTracer"] {
            await #expect(throws: RetainPathsError.unknownType(name)) { try await graph.paths(to: name) }
        }
        await #expect(throws: RetainPathsError.unknownType("LifetimeRegistry")) {
            try await graph.paths(to: "LifetimeRegistry", kind: .box)
        }
        #expect("\(RetainPathsError.unknownType("Nobody"))".contains("no objects of a type \"Nobody\""))
    }

    @Test func memoryLimitThatDoesNotSufficeIsAnError() async throws {
        PathStore.other.limited = PathLimit()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        var options = Engine.patient
        options.memoryLimit = 1 << 20
        await #expect(throws: RetainPathsError.outOfMemory(limit: 1 << 20)) {
            try await graph.paths(to: "PathLimit", options: options)
        }
        PathStore.other.limited = nil
    }
}
#endif
