import Foundation

/// Objects to which stale words refer that lie behind the contents of other blocks.
///
/// malloc hands out blocks that are up to 15 bytes larger than requested, with what their last user has left there.
@MainActor enum StaleWordShapes {
    private static var gate: Gate?
    private static var continuation: AsyncStream<Int>.Continuation?

    static let all = [behindCondition, behindStorageOfStream]

    private static let behindCondition = Shape(
        "retained too often, and referred to behind a condition", .overRetained(1)
    ) {
        let made = DetailScreen()
        let hidden = Hidden(retained(made))
        gate = Gate(addressBehindCondition: addressOf(made))
        return Planted(made) {
            gate = nil
            released(hidden)
        }
    }

    private static let behindStorageOfStream = Shape(
        "retained too often, and referred to behind a stream's storage", .overRetained(1)
    ) {
        let made = DetailScreen()
        let hidden = Hidden(retained(made))
        let stream = AsyncStream.makeStream(of: Int.self).continuation
        continuation = stream
        // Safe: a continuation is a reference to the storage, whose block is in use.
        let storage = unsafeBitCast(stream, to: UnsafeMutableRawPointer.self)
        // The block's size is in the word before it, with flags in the lowest bits, and includes that word.
        let size = storage.load(fromByteOffset: -8, as: Int.self) & ~7
        storage.storeBytes(of: addressOf(made), toByteOffset: size - 16, as: Int.self)
        return Planted(made) {
            continuation = nil
            released(hidden)
        }
    }

    @inline(never)
    private static func retained(_ screen: Screen) -> Screen {
        // Balanced by `released`.
        _ = Unmanaged.passRetained(screen)
        return screen
    }

    @inline(never)
    private static func released(_ hidden: Hidden<Screen>) {
        // Balances `retained`.
        Unmanaged.passUnretained(hidden.object).release()
    }
}

/// Owns a condition variable of C in a block of malloc that has another word behind it.
private final class Gate {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init(addressBehindCondition address: Int) {
        let size = MemoryLayout<pthread_cond_t>.size
        guard let block = malloc(size + MemoryLayout<Int>.size) else { preconditionFailure("there is memory") }
        condition = block.bindMemory(to: pthread_cond_t.self, capacity: 1)
        pthread_cond_init(condition, nil)
        block.storeBytes(of: address, toByteOffset: size, as: Int.self)
    }

    deinit {
        pthread_cond_destroy(condition)
        free(condition)
    }
}
