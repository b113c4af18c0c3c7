import CBenchmarks

/// Slots shared by all threads: each pair puts a new object into a slot and releases the object that another thread put
/// there.
///
/// `@unchecked Sendable` is safe because the slots are only accessed by atomic exchange, so that only the thread that
/// takes an object out has it.
final class Mailboxes<S: Subject>: @unchecked Sendable {
    private static var size: Int { 1024 }

    private let slots: UnsafeMutablePointer<UInt>

    init() {
        slots = .allocate(capacity: Self.size)
        for index in 0..<Self.size { (slots + index).initialize(to: Self.retained(S.make(index))) }
    }

    deinit {
        for index in 0..<Self.size { Self.release(bench_exchange(slots + index, 0)) }
        slots.deallocate()
    }

    /// Runs pairs at slots in a random order, which differs for each thread.
    @inline(__always)
    func exchange(_ count: Int, thread: Int) {
        let slots = slots
        var random = Xorshift(seed: UInt64(thread + 1))
        var index = 0
        while index < count {
            let slot = Int(truncatingIfNeeded: random.next()) & (Self.size - 1)
            Self.release(bench_exchange(slots + slot, Self.retained(S.make(index))))
            index &+= 1
        }
    }

    // Retained for the slot. `release` balances this retain on the thread that takes the object out.
    @inline(__always)
    private static func retained(_ object: S) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    }

    @inline(__always)
    private static func release(_ bits: UInt) {
        guard let address = UnsafeRawPointer(bitPattern: bits) else { return }
        Unmanaged<S>.fromOpaque(address).release()
    }
}

/// Objects that mostly die on another thread than the one on which they were born.
struct ExchangeCourse: Course {
    let crew: Crew

    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        let mailboxes = Mailboxes<S>()
        let crew = crew
        return { pairs in
            let each = max(1, pairs / crew.size)
            return crew.perform { mailboxes.exchange(each, thread: $0) } / crew.pairsAtATime(each)
        }
    }
}

extension Crew {
    /// The number of pairs that one processor has run if each thread has run `each`.
    ///
    /// The crew's time divided by this number is the processor time of a pair. It does not depend on the number of
    /// threads, unless they slow each other down.
    func pairsAtATime(_ each: Int) -> Double {
        Double(each * size) / Double(min(size, Int(bench_processors())))
    }
}

/// A xorshift generator of pseudorandom numbers, for an order that no cache predicts.
struct Xorshift {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    @inline(__always)
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
