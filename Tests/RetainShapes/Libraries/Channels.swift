import Dispatch
import Foundation

/// Handles the data that passes through a channel.
public protocol ChannelHandler: AnyObject {
    /// Called after the handler was added to a pipeline.
    func handlerAdded(context: ChannelHandlerContext)
}

/// A handler's position in a pipeline, which is a doubly linked list.
public final class ChannelHandlerContext {
    fileprivate var next: ChannelHandlerContext?
    fileprivate var previous: ChannelHandlerContext?
    /// The pipeline.
    public let pipeline: ChannelPipeline
    private let inboundHandler: any ChannelHandler

    fileprivate init(_ handler: any ChannelHandler, in pipeline: ChannelPipeline) {
        inboundHandler = handler
        self.pipeline = pipeline
    }

    fileprivate func add() { inboundHandler.handlerAdded(context: self) }
}

/// The handlers of a channel, in order.
public final class ChannelPipeline {
    private var head: ChannelHandlerContext?
    private var tail: ChannelHandlerContext?
    fileprivate unowned let channel: SocketChannel

    fileprivate init(of channel: SocketChannel) { self.channel = channel }

    /// Adds a handler at the end.
    public func addHandler(_ handler: any ChannelHandler) {
        let context = ChannelHandlerContext(handler, in: self)
        context.previous = tail
        if let tail { tail.next = context } else { head = context }
        tail = context
        context.add()
    }

    /// Unlinks all handlers.
    public func removeHandlers() {
        while let context = head {
            head = context.next
            context.next = nil
            context.previous = nil
        }
        tail = nil
    }
}

/// A connection with its pipeline and its event loop.
public final class SocketChannel {
    private var openPipeline: ChannelPipeline?
    /// The event loop.
    public let eventLoop: EventLoop
    private let closePromise: Promise<Void>

    /// Creates an open connection.
    public init(on eventLoop: EventLoop) {
        self.eventLoop = eventLoop
        closePromise = Promise()
        openPipeline = ChannelPipeline(of: self)
    }

    /// The pipeline of an open connection.
    public var pipeline: ChannelPipeline {
        guard let openPipeline else { preconditionFailure("the channel is closed") }
        return openPipeline
    }

    /// The future that is fulfilled when the connection is closed.
    public var closeFuture: Promise<Void> { closePromise }

    /// Closes the connection.
    public func close() {
        openPipeline?.removeHandlers()
        openPipeline = nil
        closePromise.succeed(())
    }
}

/// A value that becomes available later, with the callbacks that wait for it.
public final class Promise<Value> {
    private var value: Value?
    private var callbacks: [(Value) -> Void] = []

    /// Creates an unfulfilled promise.
    public init() {}

    /// Registers a callback for the value.
    public func whenSuccess(_ callback: @escaping (Value) -> Void) { callbacks.append(callback) }

    /// Fulfils the promise and calls the waiting callbacks.
    public func succeed(_ value: Value) {
        self.value = value
        let waiting = callbacks
        callbacks = []
        for callback in waiting { callback(value) }
    }
}

/// A thread that runs tasks, immediately or after a delay.
///
/// `@unchecked Sendable` is safe because the lock guards all mutable state.
public final class EventLoop: @unchecked Sendable {
    private let condition = NSCondition()
    private var tasks: [() -> Void] = []
    private var scheduled: [ScheduledTask] = []
    private var isRunning = true
    private let ended = DispatchSemaphore(value: 0)

    private struct ScheduledTask {
        let deadline: DispatchTime
        let body: () -> Void
    }

    /// Starts the thread.
    public init(name: String) {
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    /// Runs a task on the thread.
    public func execute(_ body: @escaping () -> Void) {
        condition.withLock {
            tasks.append(body)
            condition.signal()
        }
    }

    /// Runs a task on the thread after a delay.
    public func schedule(in seconds: Double, _ body: @escaping () -> Void) {
        condition.withLock { scheduled.append(ScheduledTask(deadline: .now() + seconds, body: body)) }
    }

    /// Discards all delayed tasks.
    public func cancelAll() { condition.withLock { scheduled = [] } }

    /// Ends the thread.
    public func shutDown() {
        condition.withLock {
            isRunning = false
            scheduled = []
            condition.signal()
        }
        ended.wait()
    }

    private func run() {
        while let body = next() { body() }
        ended.signal()
    }

    private func next() -> (() -> Void)? {
        condition.withLock {
            while isRunning, tasks.isEmpty { condition.wait() }
            return tasks.isEmpty ? nil : tasks.removeFirst()
        }
    }
}

extension NSCondition {
    fileprivate func withLock<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }
}

/// An unbounded cache like those of image libraries: a list in the order of use, and a table.
public final class LinkedCache<Key: Hashable, Value> {
    private final class Node {
        let key: Key
        let value: Value
        var next: Node?

        init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    private var newest: Node?
    private var table: [Key: Int] = [:]

    /// Creates an empty cache.
    public init() {}

    /// Inserts a value.
    public func insert(_ value: Value, for key: Key) {
        let node = Node(key, value)
        node.next = newest
        newest = node
        table[key] = table.count
    }

    /// Removes all values.
    public func removeAll() {
        while let node = newest { newest = node.next }
        table = [:]
    }
}
