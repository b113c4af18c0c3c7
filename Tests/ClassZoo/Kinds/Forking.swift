import Foundation

/// Children of `fork` that create objects, while other threads of the parent do.
enum Forking {
    private static let threads = 4

    static func visit(times: Int) {
        // `nonisolated(unsafe)` is safe because the lock protects the variables until all threads have finished.
        nonisolated(unsafe) var stops = false
        nonisolated(unsafe) var born = 0
        let lock = NSLock()
        let finished = DispatchSemaphore(value: 0)
        // A child would wait forever for metadata that a thread was creating.
        born += createSome()
        for _ in 0..<threads {
            Thread {
                var own = 0
                while !lock.withLock({ stops }) { own += createSome() }
                lock.withLock { born += own }
                finished.signal()
            }.start()
        }
        var failures = 0
        for _ in 0..<times where !isFine(child: forked()) { failures += 1 }
        lock.withLock { stops = true }
        for _ in 0..<threads { finished.wait() }
        print("children that failed:", failures)
        expected += [("Forked", born, 0), ("ForkedBuffer", born, 0)]
    }

    /// Creates and releases objects of two classes; returns how many of each.
    @inline(never) private static func createSome() -> Int {
        let count = 100
        for number in 0..<count {
            show(Forked(number))
            show(ForkedBuffer.create(minimumCapacity: 1) { _ in number })
        }
        return count
    }

    /// Starts a child, which creates objects and ends.
    private static func forked() -> pid_t {
        // Swift does not import `fork`.
        typealias Fork = @convention(c) () -> pid_t
        // The null pointer is RTLD_DEFAULT, which Swift does not import; the cast is safe because the type is fork's.
        guard let address = dlsym(nil, "fork") else { return -1 }
        let child = unsafeBitCast(address, to: Fork.self)()
        if child == 0 { _exit(createSome() == 100 ? 7 : 8) }
        return child
    }

    private static func isFine(child: pid_t) -> Bool {
        var status: Int32 = 0
        return child > 0 && waitpid(child, &status, 0) == child && status == 7 << 8
    }
}

final class Forked {
    let number: Int
    init(_ number: Int) { self.number = number }
}
/// Recorded in a table with locks.
final class ForkedBuffer: ManagedBuffer<Int, Int> {}
