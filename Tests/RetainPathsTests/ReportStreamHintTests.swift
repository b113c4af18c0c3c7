import LifetimeTracer
import Testing

@testable import RetainPaths

/// The hints about streams: their elements, and the closures that produce them and that run at their end.
@Suite struct ReportStreamHintTests: JudgesPaths {
    let heap = MadeUpHeap()

    @Test func streamTerminationHandlerGetsHint() throws {
        let stream = heap.object("Swift.AsyncStream<Swift.Int>._Storage", "handler", edge: .function, code: code)
        let steps = [heap.root(Mangled.cache), stream, heap.closure(), heap.end("Demo.Screen")]
        #expect(try judge(steps).pattern == .streamTermination)
    }

    @Test func elementOfStreamIsNotItsTerminationHandler() throws {
        let storage = heap.object("Swift.AsyncStream<() -> ()>._Storage", "state")
        let closure = heap.object("Swift._DequeBuffer<() -> ()>", edge: .function, code: code)
        let root = heap.root(Mangled.cache)
        let (pattern, text, _) = try judge([root, storage, closure, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .growingContainer)
        #expect(
            text == "A stream keeps an element that nobody has read, closure #1 in Screen.bind(_:to:), which captures "
                + "Screen strongly. Capture Screen weakly in the closure ([weak self] if it is self). Read the "
                + "elements, or give up the stream and its continuation, when Screen is no longer needed.")
        let buffer = heap.object("Swift._DequeBuffer<Demo.Screen>")
        let element = try judge([root, storage, buffer, heap.end("Demo.Screen")])
        #expect(element.pattern == .growingContainer)
        #expect(
            element.text == "A stream keeps an element that nobody has read: Screen. Read the elements, or give up the "
                + "stream and its continuation, when Screen is no longer needed.")
    }

    @Test func closureOfAnElementOfStreamIsNotTheElement() throws {
        let screen = heap.object("Demo.Screen", "onClose", edge: .function, code: code)
        let storage = heap.object("Swift.AsyncStream<Demo.Screen>._Storage", "state")
        let buffer = heap.object("Swift._DequeBuffer<Demo.Screen>")
        let (pattern, text, suspect) = try round([screen, heap.closure(), storage, buffer])
        #expect(pattern == .growingContainer && suspect?.hasPrefix("closure #1") == true)
        #expect(
            text == "A stream keeps an element that nobody has read, Screen, and Screen.onClose keeps closure #1 in "
                + "Screen.bind(_:to:), which captures AsyncStream<Screen>._Storage strongly. Do not use the stream or "
                + "its continuation in the closure. Read the elements, or give up the stream and its continuation, "
                + "when Screen is no longer needed.")
    }

    @Test func elementOfStreamThatHoldsTheStreamsOwnerIsNoTask() throws {
        let buffer = heap.object("Swift._DequeBuffer<Demo.Letter>")
        let (pattern, text, _) = try round([
            heap.object("Demo.Inbox", "source"), heap.object("Swift.AsyncStream<Demo.Letter>._Storage", "state"),
            buffer,
            heap.object("Demo.Letter", "to"),
        ])
        #expect(pattern == .growingContainer)
        #expect(
            text == "A stream keeps an element that nobody has read: Letter. Read the elements, or give up the stream "
                + "and its continuation, when Inbox is no longer needed.")
    }

    @Test func terminationHandlerInCycleIsNoTasksClosure() throws {
        let stream = heap.object("Swift.AsyncStream<Swift.Int>._Storage", "state", edge: .function, code: code)
        let (pattern, text, _) = try round([heap.object("Demo.Screen", "source"), stream, heap.closure()])
        #expect(pattern == .streamTermination)
        #expect(
            text == "A stream that has not ended keeps its termination handler closure #1 in Screen.bind(_:to:), which "
                + "captures Screen strongly. Capture Screen weakly in the closure ([weak self] if it is self), and "
                + "finish the stream when Screen is no longer needed.")
    }

    @Test func closureThatProducesElementsOfStreamIsNotItsTerminationHandler() throws {
        let own = heap.symbol("$sScS9unfolding8onCancelScSyxGxSgyYac_yyYbcSgtcfcAFyYacfU_TA")
        let context = heap.object("Swift.AsyncStream<Swift.Int>._Context", "produce", edge: .function, code: own)
        let lock = heap.object(
            "Swift._AsyncStreamCriticalStorage<Swift.Optional<() async -> Swift.Int>>", "_value", edge: .function,
            code: code)
        let end = [heap.closure(), heap.end("Demo.Screen")]
        let producer = try judge([heap.root(Mangled.cache), context, heap.closure(), lock] + end)
        #expect(producer.pattern == .streamProducer)
        #expect(producer.text.hasPrefix("A stream keeps the closure that produces its elements, closure #1 in Screen."))
        let cancelled = [heap.root(Mangled.cache), context, heap.closure(edge: .function, code: code)] + end
        #expect(try judge(cancelled).text.hasPrefix("A stream keeps its cancellation handler, closure #1 in Screen."))
    }
}
