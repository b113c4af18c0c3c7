// Unoptimised code places no objects in frames, so that these tests make some up. Optimised code keeps parts of such a
// value where it likes, but places real objects in frames: the planted shapes contain some.
#if DEBUG && os(Linux) && arch(x86_64) && canImport(Glibc)
import Dispatch
import LifetimeTracer
import Patience
import Testing

@testable import RetainPaths

/// Findings about objects in the frames of functions, on stacks and in the memory of tasks.
@Suite(.disabledUnderSanitizers) struct EngineFrameTests {
    /// A word that no other memory contains, inverted.
    private static func hiddenWord() -> UInt64 { ~(0x5EED_0000_0000_0000 | UInt64.random(in: 1..<1 << 32)) }

    private static func finding(_ hidden: UInt64) async throws -> HeapAnswer.Finding {
        let targets = HeapQuestion.Targets.carriedWords([hidden])
        let answer = try await HeapAnswer.search(targets, by: [], options: Engine.patient)
        return try #require(answer.findings.first)
    }

    @Test(arguments: [true, false])
    func objectOnStackIsFound(hasHeader: Bool) async throws {
        let hidden = Self.hiddenWord()
        let thread = await WaitingThread { keepMadeUpObject(hidden, hasHeader: hasHeader, $0) }
        let finding = try await Self.finding(hidden)
        #expect(finding.status == .notFound)
        let step = try #require(finding.steps.first)
        #expect(step.node.thread != nil && step.isPrecise == hasHeader)
        let functions = step.functions.compactMap { Symboliser.shared.symbol(at: $0 - 1)?.name }
        #expect(functions.contains { $0.contains("keepMadeUpObject") }, "\(functions)")
        thread.end()
    }

    @Test func wordInMemoryOfTaskIsFound() async throws {
        let hidden = Self.hiddenWord()
        let gate = AsyncStream<Void>.makeStream()
        let (waits, isWaiting) = AsyncStream<Void>.makeStream()
        let task = Task.detached {
            await keepInTask(hidden) {
                isWaiting.finish()
                for await _ in gate.stream {}
            }
        }
        for await _ in waits {}
        // The functions of a task are known once it is suspended.
        var functions: [String] = []
        while functions.isEmpty {
            let finding = try await Self.finding(hidden)
            #expect(finding.status == .notFound)
            let step = try #require(finding.steps.first)
            #expect(step.node == .task)
            functions = step.functions.compactMap { Symboliser.shared.symbol(at: $0)?.name }
        }
        #expect(functions.contains { $0.contains("keepInTask") }, "\(functions)")
        gate.continuation.finish()
        await task.value
    }

    @Test func wordThatNoMemoryContainsHasNoPlace() async throws {
        let finding = try await Self.finding(Self.hiddenWord())
        #expect(finding.status == .notFound && finding.steps.isEmpty)
    }
}

/// A thread that waits in the middle of a function.
private struct WaitingThread {
    private let isOver = DispatchSemaphore(value: 0)
    private let thread: SimpleThread

    /// Starts the thread, and returns when the body has called `wait`.
    init(_ body: @escaping @Sendable (_ wait: () -> Void) -> Void) async {
        let (waits, isWaiting) = AsyncStream<Void>.makeStream()
        thread = SimpleThread { [isOver] in
            body {
                isWaiting.finish()
                isOver.wait()
            }
        }
        for await _ in waits {}
    }

    func end() {
        isOver.signal()
        thread.join()
    }
}

/// The first words of an object of a class, with a word among its fields.
private struct MadeUpObject {
    var metadata: UInt
    var counts: UInt = 3
    var word: UInt64

    init(_ hidden: UInt64, hasHeader: Bool) {
        // Safe: the metatype of a class is the address of its metadata, which is only stored as a number.
        metadata = hasHeader ? unsafeBitCast(EngineLeaf.self as AnyClass, to: UInt.self) : 0
        word = ~hidden
    }
}

/// Lets the optimiser believe that other code uses the object's memory.
@inline(never)
private func use(_ object: UnsafeMutablePointer<MadeUpObject>) {
    hiddenPlace.withLock { $0 = ~UInt(bitPattern: object) }
}

private let hiddenPlace = Locked<UInt>(0)

@inline(never)
private func keepMadeUpObject(_ hidden: UInt64, hasHeader: Bool, _ wait: () -> Void) {
    var object = MadeUpObject(hidden, hasHeader: hasHeader)
    withUnsafeMutablePointer(to: &object) { object in
        use(object)
        wait()
        object.pointee.word = 0
        use(object)
    }
}

@inline(never)
private func keepInTask(_ hidden: UInt64, _ wait: () async -> Void) async {
    // Written after the wait, so that the word is in the task's memory meanwhile.
    var object = MadeUpObject(hidden, hasHeader: false)
    use(&object)
    await wait()
    use(&object)
    object.word = 0
    use(&object)
}
#endif
