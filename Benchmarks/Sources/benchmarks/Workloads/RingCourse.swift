/// A ring of live objects: each pair replaces the oldest object with a new one.
///
/// `@unchecked Sendable` is safe because only one thread at a time uses a ring: its crew member, or the thread that
/// waits for the crew.
final class LiveRing<S: Subject>: @unchecked Sendable {
    static var size: Int { 1024 }

    private let slots: UnsafeMutablePointer<S>
    private var next = 0

    init() {
        slots = .allocate(capacity: Self.size)
        for index in 0..<Self.size { (slots + index).initialize(to: S.make(index)) }
    }

    deinit {
        slots.deinitialize(count: Self.size)
        slots.deallocate()
    }

    /// Runs pairs.
    @inline(__always)
    func replace(_ count: Int) {
        let slots = slots
        var index = next
        let end = index &+ count
        while index < end {
            slots[index & (Self.size - 1)] = S.make(index)
            index &+= 1
        }
        next = index & (Self.size - 1)
    }
}

/// A ring on the calling thread.
struct RingCourse: Course {
    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        let ring = LiveRing<S>()
        return { pairs in Stopwatch.time { ring.replace(pairs) } / Double(pairs) }
    }
}

/// A ring for each thread of a crew.
struct CrewRingCourse: Course {
    let crew: Crew

    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        let rings = (0..<crew.size).map { _ in LiveRing<S>() }
        let crew = crew
        return { pairs in
            let each = max(1, pairs / crew.size)
            return crew.perform { rings[$0].replace(each) } / crew.pairsAtATime(each)
        }
    }
}
