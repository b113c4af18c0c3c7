import CBenchmarks

/// Places at which threads leave batches of objects for each other, like the parts of a program that pass requests on.
///
/// `@unchecked Sendable` is safe because the places are only accessed by atomic exchange, so that only the thread that
/// takes a batch out has it.
final class Handover<S: Subject>: @unchecked Sendable {
    private typealias Batch = UnsafeMutablePointer<Unmanaged<S>>

    private static var size: Int { 16 }
    private static var objectsInBatch: Int { 64 }

    private let places: UnsafeMutablePointer<UInt>

    init() {
        places = .allocate(capacity: Self.size)
        for index in 0..<Self.size {
            let batch = Batch.allocate(capacity: Self.objectsInBatch)
            Self.fill(batch, from: 0)
            (places + index).initialize(to: UInt(bitPattern: batch))
        }
    }

    deinit {
        for index in 0..<Self.size {
            guard let batch = Batch(bitPattern: bench_exchange(places + index, 0)) else { continue }
            Self.empty(batch)
            batch.deallocate()
        }
        places.deallocate()
    }

    /// Leaves batches and releases other threads' batches, at places in a random order, which differs for each thread.
    @inline(__always)
    func handOver(_ count: Int, thread: Int) {
        let places = places
        var random = Xorshift(seed: UInt64(thread + 1))
        var batch = Batch.allocate(capacity: Self.objectsInBatch)
        var index = 0
        while index < count {
            Self.fill(batch, from: index)
            let place = Int(truncatingIfNeeded: random.next()) & (Self.size - 1)
            // There is always a batch: all places are filled at first, and each thread that takes a batch leaves
            // another one.
            guard let taken = Batch(bitPattern: bench_exchange(places + place, UInt(bitPattern: batch))) else {
                preconditionFailure("a place is empty")
            }
            Self.empty(taken)
            batch = taken
            index &+= Self.objectsInBatch
        }
        batch.deallocate()
    }

    // A batch holds references that are retained here. `empty` releases them on the thread that takes the batch out.
    @inline(__always)
    private static func fill(_ batch: Batch, from first: Int) {
        var index = 0
        while index < objectsInBatch {
            (batch + index).initialize(to: Unmanaged.passRetained(S.make(first &+ index)))
            index &+= 1
        }
    }

    @inline(__always)
    private static func empty(_ batch: Batch) {
        var index = 0
        while index < objectsInBatch {
            batch[index].release()
            index &+= 1
        }
    }
}

/// Objects that mostly die on another thread than the one on which they were born, 64 at a time.
struct HandoverCourse: Course {
    let crew: Crew

    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        let handover = Handover<S>()
        let crew = crew
        return { pairs in
            let each = max(1, pairs / crew.size)
            return crew.perform { handover.handOver(each, thread: $0) } / crew.pairsAtATime(each)
        }
    }
}
