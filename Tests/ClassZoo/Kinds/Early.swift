import Foundation

/// Objects that are older than the hooks, and threads that create and release objects while the hooks are installed.
public struct Early: Sendable {
    private static let threads = 4

    private let finished = DispatchSemaphore(value: 0)

    // `nonisolated(unsafe)` is safe because the main task alone uses the array, and the lock protects the flag.
    nonisolated(unsafe) private static var older: [AnyObject] = []
    nonisolated(unsafe) private static var stops = false
    private static let lock = NSLock()

    /// Creates objects, and starts threads.
    public init() {
        for number in 0..<5 { Self.older.append(Older(number)) }
        let started = DispatchSemaphore(value: 0)
        for _ in 0..<Self.threads {
            Thread { [finished] in
                started.signal()
                while !Self.lock.withLock({ Self.stops }) { Self.replaceBusy() }
                // The tracing has started.
                Self.replaceBusy()
                finished.signal()
            }.start()
        }
        for _ in 0..<Self.threads { started.wait() }
    }

    /// Ends the threads after some more objects, and releases some of the older objects.
    public func end() {
        Self.lock.withLock { Self.stops = true }
        for _ in 0..<Self.threads { finished.wait() }
        Self.older.removeFirst(3)
        kept += Self.older
        expected.append(("Older", 0, 0))
    }

    @inline(never) private static func replaceBusy() {
        var ring = [AnyObject?](repeating: nil, count: 16)
        for number in 0..<100 { ring[number & 15] = number.isMultiple(of: 3) ? BusyActor() : Busy(number) }
        show(ring as NSArray)
    }
}

final class Older {
    let number: Int
    init(_ number: Int) { self.number = number }
}
final class Busy {
    let number: Int
    init(_ number: Int) { self.number = number }
}
actor BusyActor {
    var number = 1
}
