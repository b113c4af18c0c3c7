import Foundation
internal import LifetimeTracer

/// Objects to which stale words refer that lie behind the contents of other blocks.
///
/// malloc hands out blocks that are up to 15 bytes larger than requested, with what their last user has left there.
@MainActor enum StaleWordShapes {
    private static var gate: Gate<pthread_cond_t>?
    private static var exclusion: Gate<pthread_mutex_t>?
    private static var continuation: AsyncStream<Int>.Continuation?
    private static var timer: (any DispatchSourceTimer)?
    private static var latch: Latch?

    static let all = [behindCondition, behindMutex, behindStorageOfStream, inHandlerOfTimer, inTask]

    /// A shape in which only a word that `leave` writes somewhere refers to the object.
    ///
    /// - Parameter leave: Returns how to remove the word.
    private static func shape(
        _ name: String, _ leave: @escaping @MainActor @Sendable (_ address: Int) -> @MainActor () -> Void
    ) -> Shape {
        Shape("retained too often, and referred to \(name)", .overRetained(1)) {
            let made = DetailScreen()
            let hidden = Hidden(retaining: made, times: 1)
            let remove = leave(addressOf(made))
            return Planted(made) {
                remove()
                hidden.release(times: 1)
            }
        }
    }

    private static let behindCondition = shape("behind a condition") { address in
        gate = Gate(pthread_cond_t(), addressBehindLock: address, wordsBehindLock: 1)
        return { gate = nil }
    }

    /// malloc makes no block of the 16 bytes that may remain of a larger block: the mutex's block includes them.
    private static let behindMutex = shape("behind a mutex") { address in
        exclusion = Gate(pthread_mutex_t(), addressBehindLock: address, wordsBehindLock: 2)
        return { exclusion = nil }
    }

    private static let behindStorageOfStream = shape("behind a stream's storage") { address in
        let stream = AsyncStream.makeStream(of: Int.self).continuation
        continuation = stream
        // Safe: a continuation is a reference to the storage, whose block is in use.
        let storage = unsafeBitCast(stream, to: UnsafeMutableRawPointer.self)
        // The block's size is in the word before it, with flags in the lowest bits, and includes that word.
        let size = storage.load(fromByteOffset: -8, as: Int.self) & ~7
        storage.storeBytes(of: address, toByteOffset: size - 16, as: Int.self)
        return { continuation = nil }
    }

    /// libdispatch takes handlers from a list of unused blocks, and leaves the link to the next block in them.
    private static let inHandlerOfTimer = shape("by the handler of a timer") { address in
        let source = DispatchSource.makeTimerSource(queue: .global())
        source.setEventHandler {}
        // A time in nanoseconds could look like an address.
        source.schedule(deadline: .distantFuture)
        source.resume()
        timer = source
        let handler = Self.handler(of: source)
        let link = handler?.load(fromByteOffset: 16, as: Int.self) ?? 0
        handler?.storeBytes(of: address, toByteOffset: 16, as: Int.self)
        return {
            handler?.storeBytes(of: link, toByteOffset: 16, as: Int.self)
            timer = nil
        }
    }

    /// The runtime never sets the reserved words of a task, whose memory may have been a task's before.
    private static let inTask = Shape(
        "continuation that nobody keeps, and a reserved word of another task refers to the frames of the waiting one",
        .held(.task, .closure("inTask")).orMore().hinting(.lostContinuation, "never resumed")
    ) {
        let screen = DetailScreen()
        let reply = Locked<UInt>(0)
        let latch = Latch()
        Self.latch = latch
        setReservedWord(
            of: startByHand { await latch.pass() },
            toSlabOf: startByHand {
                await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                    // Safe: a continuation is one word. Its inverted form is no holder of the task.
                    reply.withLock { $0 = ~unsafeBitCast(continuation, to: UInt.self) }
                }
                screen.tap()
            })
        return Planted(screen) {
            // Safe: the task still waits for the continuation, which is resumed only here.
            unsafeBitCast(~reply.withLock { $0 }, to: UnsafeContinuation<Void, Never>.self).resume()
            Self.latch?.open()
            Self.latch = nil
        }
    }

    private static func setReservedWord(of task: Task<Void, Never>, toSlabOf waiting: Task<Void, Never>) {
        // Safe: both tasks are suspended, and a task's handle is a reference to the runtime's object (AsyncTask in
        // swift/ABI/Task.h), in which the word at 120 is the first slab and nothing uses the reserved word at 72.
        let slab = unsafeBitCast(waiting, to: UnsafeRawPointer.self).load(fromByteOffset: 120, as: UInt.self)
        precondition(slab != 0, "the waiting task has frames")
        unsafeBitCast(task, to: UnsafeMutableRawPointer.self).storeBytes(of: slab, toByteOffset: 72, as: UInt.self)
    }

    /// The memory of a source's handler: the block of 64 bytes to which the source's state refers.
    ///
    /// The result is `nil` if malloc has handed out an unusual block.
    private static func handler(of source: any DispatchSourceTimer) -> UnsafeMutableRawPointer? {
        // Safe: the object of Swift keeps that of libdispatch in its only property, and both are in use.
        let object = Unmanaged.passUnretained(source as AnyObject).toOpaque().load(fromByteOffset: 16, as: UInt.self)
        let state = blocks(referredToBy: object).first { word(of: $0, at: 8) == ~object }
        let handler = state.flatMap { state in
            blocks(referredToBy: state).first { (80...96).contains(size(of: $0)) }
        }
        return handler.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
    }

    /// The words in a block of malloc that look like addresses of blocks.
    private static func blocks(referredToBy block: UInt) -> [UInt] {
        stride(from: 0, to: size(of: block) - 8, by: 8).map { word(of: block, at: $0) }.filter {
            $0 % 16 == 0 && (0x5500_0000_0000..<0x7FFF_FFFF_0000).contains($0)
        }
    }

    /// The size of a block's chunk, from the word in front of the block.
    private static func size(of block: UInt) -> Int { Int(word(of: block, at: -8) & ~7) }

    private static func word(of block: UInt, at offset: Int) -> UInt {
        // Safe: libdispatch's blocks contain no other words that look like addresses, and libdispatch uses them.
        UnsafeRawPointer(bitPattern: block)?.load(fromByteOffset: offset, as: UInt.self) ?? 0
    }
}

/// Owns a lock of C, which is never locked, in a block of malloc that has further words behind it.
private final class Gate<Lock> {
    private let lock: UnsafeMutablePointer<Lock>

    init(_ lock: Lock, addressBehindLock address: Int, wordsBehindLock wordCount: Int) {
        let size = MemoryLayout<Lock>.size
        guard let block = malloc(size + wordCount * MemoryLayout<Int>.size) else {
            preconditionFailure("there is memory")
        }
        self.lock = block.bindMemory(to: Lock.self, capacity: 1)
        self.lock.initialize(to: lock)
        for word in 0..<wordCount {
            block.storeBytes(of: address, toByteOffset: size + word * MemoryLayout<Int>.size, as: Int.self)
        }
    }

    deinit { free(lock) }
}
