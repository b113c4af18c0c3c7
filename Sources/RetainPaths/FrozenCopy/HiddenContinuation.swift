import LifetimeTracer

/// A continuation that a search for retain paths does not find.
///
/// Otherwise the question would seem to hold the requesting task. The continuation is in a block of malloc that such a
/// search leaves out. A search for leaks finds it, because the task is in use, and so does the search of another
/// tracer in the same process: a program that links the tracer may run under `tracer-server run`.
package struct HiddenContinuation<Value: Sendable, Failure: Error>: Sendable {
    private let block: HiddenBlock

    /// Hides a continuation.
    package init(_ continuation: UnsafeContinuation<Value, Failure>) {
        // Safe: a continuation is the address of its task, which it does not retain. The task lives until it is
        // resumed, which the continuation's owner does once.
        block = HiddenBlock(unsafeBitCast(continuation, to: UInt.self))
    }

    /// Resumes the task.
    ///
    /// Must be called once.
    package consuming func resume(with result: Result<Value, Failure>) {
        // Safe: the word is that of `init`, and the block is used for the last time.
        unsafeBitCast(block.take(), to: UnsafeContinuation<Value, Failure>.self).resume(with: result)
    }
}

/// A block of malloc with one word, which some searches leave out.
struct HiddenBlock: Sendable {
    private struct State: LockedState {
        /// The words of the blocks, inverted, by the addresses of the blocks.
        var words: [UInt: UInt] = [:]
    }

    private static let state = Locked(State())

    // `nonisolated(unsafe)` is safe because only `take` uses the memory, after it has removed the block's only entry. A
    // pointer, unlike a number, is followed by searches.
    private nonisolated(unsafe) let place: UnsafeMutablePointer<UInt>

    init(_ word: UInt) {
        let place = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
        place.initialize(to: word)
        let address = UInt(bitPattern: place)
        Self.state.withLock { $0.words[address] = ~word }
        self.place = place
    }

    /// Returns the word and frees the block.
    func take() -> UInt {
        let address = UInt(bitPattern: place)
        guard let word = Self.state.withLock({ $0.words.removeValue(forKey: address) }) else {
            fatalError("a continuation was resumed twice")
        }
        place.deallocate()
        return ~word
    }

    /// Returns the places of the blocks with certain words.
    static func places(where isIncluded: (_ inverted: UInt) -> Bool) -> [Range<UInt>] {
        let size = UInt(MemoryLayout<UInt>.size)
        return state.withLock { $0.words }.filter { isIncluded($0.value) }.map { $0.key..<$0.key + size }
    }
}
