import Dispatch
import Foundation
internal import LifetimeTracer
import Observation
internal import RetainShapesCLibrary

/// Handlers and data of Foundation, Dispatch and the Observation library that capture an object.
@MainActor package enum SystemObjectShapes {
    package static var progress: Progress?
    package static var operation: Operation?
    package static var pipe: Pipe?
    private static var channelPipe: Pipe?
    package static var predicate: NSPredicate?
    package static var data: Data?
    package static var process: Process?
    private static var observed: Observed?
    package static var channel: DispatchIO?
    package static var signals: (any DispatchSourceSignal)?
    package static var context: UnsafeMutableRawPointer?
    package static let loader = ImageLoader()

    static let all = [
        cancellation, ownCompletion, readability, predicateBlock, deallocator, termination,
        observation, cleanup, signalHandler, callbackContext, tableOfC, boxInTableOfC, loading,
    ]

    private static let cancellation = Shape(
        "system: cancellation of a progress", .held(.global("SystemObjectShapes.progress"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let made = Progress(totalUnitCount: 3)
        made.cancellationHandler = { screen.tap() }
        progress = made
        return Planted(screen) { progress = nil }
    }

    private static let ownCompletion = Shape(
        "system: completion of an operation", .held(.global("SystemObjectShapes.operation"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let made = BlockOperation {}
        made.completionBlock = { screen.tap() }
        operation = made
        return Planted(screen) {
            operation?.completionBlock = nil
            operation = nil
        }
    }

    private static let readability = Shape(
        "system: handler of a file", .held(.says(""), .closure("closure #1")).orMore()
    ) {
        let screen = DetailScreen()
        let made = Pipe()
        made.fileHandleForReading.readabilityHandler = { @Sendable file in screen.taps += file.availableData.count }
        pipe = made
        waitForDispatch()
        return Planted(screen) {
            pipe?.fileHandleForReading.readabilityHandler = nil
            pipe = nil
        }
    }

    private static let predicateBlock = Shape(
        "system: block of a predicate", .held(.global("SystemObjectShapes.predicate"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        predicate = NSPredicate { value, _ in value as? Int == screen.taps }
        return Planted(screen) { predicate = nil }
    }

    private static let deallocator = Shape(
        "system: deallocator of data", .held(.global("SystemObjectShapes.data"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 8)
        bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 256)
        data = Data(
            bytesNoCopy: bytes, count: 256,
            deallocator: .custom { bytes, _ in
                screen.tap()
                bytes.deallocate()
            })
        return Planted(screen) { data = nil }
    }

    private static let termination = Shape(
        "system: termination of a process", .held(.global("SystemObjectShapes.process"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let made = Process()
        made.terminationHandler = { _ in screen.tap() }
        process = made
        return Planted(screen) {
            process?.terminationHandler = nil
            process = nil
        }
    }

    private static let observation = Shape(
        "system: observation of a property",
        .held(.global("SystemObjectShapes.observed"), .closure("closure #2"))
            .orMore()
    ) {
        let screen = DetailScreen()
        let model = Observed()
        observed = model
        withObservationTracking {
            _ = model.name
        } onChange: {
            screen.tap()
        }
        return Planted(screen) {
            observed?.name = "changed"
            observed = nil
        }
    }

    private static let cleanup = Shape(
        "system: end of an input channel", .held(.global("SystemObjectShapes.channel"))
    ) {
        let screen = DetailScreen()
        let made = Pipe()
        channelPipe = made
        let ended = DispatchSemaphore(value: 0)
        let descriptor = made.fileHandleForReading.fileDescriptor
        channel = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: .global()) { @Sendable _ in
            screen.tap()
            ended.signal()
        }
        waitForDispatch()
        return Planted(screen) {
            channel?.close(flags: .stop)
            channel = nil
            ended.wait()
            channelPipe = nil
        }
    }

    private static let signalHandler = Shape(
        "system: handler of a signal", .held(.says(""), .closure("closure #1")).orMore()
    ) {
        let screen = DetailScreen()
        let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
        source.setEventHandler { @Sendable in screen.tap() }
        source.resume()
        signals = source
        waitForDispatch()
        return Planted(screen) {
            signals?.cancel()
            signals = nil
        }
    }

    /// A library of C keeps the context and passes it to a function.
    private static let callbackContext = Shape(
        "system: context of a callback", .held(.global("SystemObjectShapes.context"))
    ) {
        let screen = DetailScreen()
        let client = UnsafeMutablePointer<CClient>.allocate(capacity: 1)
        // Balanced when the shape is undone.
        client.initialize(to: CClient(socket: 3, context: Unmanaged.passRetained(screen).toOpaque()))
        context = UnsafeMutableRawPointer(client)
        return Planted(screen) {
            if let context = context?.assumingMemoryBound(to: CClient.self).pointee.context {
                Unmanaged<DetailScreen>.fromOpaque(context).release()
            }
            context?.deallocate()
            context = nil
        }
    }

    /// The function before the context is not a closure of Swift, and the table need not have retained the context.
    private static let tableOfC = Shape(
        "system: context in a table of C", .held(.global("callbacks")).doubtful()
    ) {
        let screen = DetailScreen()
        // Balanced when the shape is undone.
        let context = Unmanaged.passRetained(screen).toOpaque()
        rs_keep_callback(
            3, { context in context.map { Unmanaged<DetailScreen>.fromOpaque($0).takeUnretainedValue().tap() } },
            context)
        return Planted(screen) {
            if let context = rs_context_of_callback(3) { Unmanaged<DetailScreen>.fromOpaque(context).release() }
            rs_keep_callback(3, nil, nil)
        }
    }

    private static let boxInTableOfC = Shape(
        "system: box in a table of C",
        .held(.global("callbacks"), .object("CallbackBox"), .through("screen")).doubtful()
    ) {
        let screen = DetailScreen()
        // Balanced when the shape is undone.
        let context = Unmanaged.passRetained(CallbackBox(screen)).toOpaque()
        rs_keep_callback(
            4, { context in context.map { Unmanaged<CallbackBox>.fromOpaque($0).takeUnretainedValue().screen.tap() } },
            context)
        return Planted(screen) {
            if let context = rs_context_of_callback(4) { Unmanaged<CallbackBox>.fromOpaque(context).release() }
            rs_keep_callback(4, nil, nil)
        }
    }

    private static let loading = Shape(
        "system: task in a table of loads",
        .held(.global("SystemObjectShapes.loader"), .task, .closure("DetailScreen.load")).orMore()
    ) {
        let screen = DetailScreen()
        screen.load(with: loader)
        return Planted(screen) { loader.finish() }
    }
}

/// The state of a connection in C.
private struct CClient {
    var socket: Int32
    var context: UnsafeMutableRawPointer?
}

/// An object whose properties can be observed, as the macro of the Observation library writes it.
private final class Observed: Observable, @unchecked Sendable {
    // `@unchecked Sendable` is safe because one thread plants the shapes.
    private let registrar = ObservationRegistrar()
    private var storedName = "name"

    var name: String {
        get {
            registrar.access(self, keyPath: \.name)
            return storedName
        }
        set { registrar.withMutation(of: self, keyPath: \.name) { storedName = newValue } }
    }
}

/// Tasks that load an image, by the image's name.
package final class ImageLoader: Sendable {
    private let latch = Latch()
    private let tasks = Locked<[String: Task<Void, Never>]>([:])

    func load(_ name: String, _ done: @escaping @Sendable () -> Void) {
        let task = startUntilItWaits { [latch] in
            await latch.pass()
            done()
        }
        tasks.withLock { $0[name] = task }
    }

    func finish() {
        let loading = tasks.withLock { tasks in
            defer { tasks = [:] }
            return tasks
        }
        latch.open()
        withExtendedLifetime(loading) {}
    }
}

extension DetailScreen {
    @inline(never)
    fileprivate func load(with loader: ImageLoader) {
        loader.load("portrait") { self.tap() }
    }
}

private final class CallbackBox {
    let screen: DetailScreen

    init(_ screen: DetailScreen) { self.screen = screen }
}
