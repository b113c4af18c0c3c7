import Dispatch
import Foundation

/// Handles what passes through a channel.
public protocol ChannelHandler: AnyObject {
    /// Called when the handler has become part of a pipeline.
    func handlerAdded(context: ChannelHandlerContext)
}

/// A handler's place in a pipeline: a list in both directions.
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

/// The handlers of a channel, in their order.
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

    /// Takes the list apart.
    public func removeHandlers() {
        while let context = head {
            head = context.next
            context.next = nil
            context.previous = nil
        }
        tail = nil
    }
}

/// A connection with its pipeline and its loop.
public final class SocketChannel {
    private var openPipeline: ChannelPipeline?
    /// The loop.
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

    /// The future that is fulfilled at the end of the connection.
    public var closeFuture: Promise<Void> { closePromise }

    /// Ends the connection.
    public func close() {
        openPipeline?.removeHandlers()
        openPipeline = nil
        closePromise.succeed(())
    }
}

/// A value that comes later, and who waits for it.
public final class Promise<Value> {
    private var value: Value?
    private var callbacks: [(Value) -> Void] = []

    /// Creates a promise that is not fulfilled.
    public init() {}

    /// Has a closure receive the value.
    public func whenSuccess(_ callback: @escaping (Value) -> Void) { callbacks.append(callback) }

    /// Fulfils it.
    public func succeed(_ value: Value) {
        self.value = value
        let waiting = callbacks
        callbacks = []
        for callback in waiting { callback(value) }
    }
}

/// A thread that does what it is given, at once or later.
///
/// `@unchecked Sendable` is safe because the lock guards all that changes.
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

    /// Does something on the thread.
    public func execute(_ body: @escaping () -> Void) {
        condition.withLock {
            tasks.append(body)
            condition.signal()
        }
    }

    /// Does something on the thread in a while.
    public func schedule(in seconds: Double, _ body: @escaping () -> Void) {
        condition.withLock { scheduled.append(ScheduledTask(deadline: .now() + seconds, body: body)) }
    }

    /// Forgets what is to be done later.
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

/// A cache that forgets nothing, in the manner of the libraries of images: a list in the order of use and a table.
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

    /// Keeps a value.
    public func insert(_ value: Value, for key: Key) {
        let node = Node(key, value)
        node.next = newest
        newest = node
        table[key] = table.count
    }

    /// Forgets all.
    public func removeAll() {
        while let node = newest { newest = node.next }
        table = [:]
    }
}
