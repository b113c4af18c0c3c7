#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The names that a program gives its Tasks.
@Suite(.disabledUnderSanitizers) struct HeapTaskLabelTests {
    /// The continuations that the Tasks of the test await.
    private static let waiting = Locked<[UnsafeContinuation<Void, Never>]>([])

    @inline(never)
    private static func awaitForever() async {
        await withUnsafeContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }

    @inline(never)
    private static func awaitLabelledChild() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(name: "labelled child") { await awaitForever() }
            await group.waitForAll()
        }
    }

    @Test func labelOfATaskIsListed() async throws {
        let executor = RequestExecutor()
        // 81 bytes, cut in the middle of a character.
        let long = "a" + String(repeating: "ü", count: 40)
        var tasks = ["refresh \"the\" gallery", long, ""].map { name in
            Task.detached(name: name, executorPreference: executor) { await Self.awaitForever() }
        }
        tasks.append(executor.start { await Self.awaitLabelledChild() })
        let graph = try await HeapGraph.capture(options: Engine.patient)
        executor.letGo()
        for continuation in Self.waiting.withLock({ $0 }) { continuation.resume() }
        for task in tasks { await task.value }
        let found = graph.tasks.all.filter { task in
            task.functions.contains { $0.contains("HeapTaskLabelTests.await") }
        }
        let labels = found.map(\.label).sorted()
        let cut = "a" + String(repeating: "ü", count: 31) + "…"
        #expect(labels == ["", "", cut, "labelled child", "refresh \"the\" gallery"], "\(found)")
        let child = found.first { $0.label == "labelled child" }
        #expect(found.contains { $0.id == child?.parent }, "\(found)")
    }
}
#endif
