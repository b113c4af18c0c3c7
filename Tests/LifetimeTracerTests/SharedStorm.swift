import ForkTesting
import LifetimeTracer

#if canImport(Glibc)
import Glibc
#endif

/// Threads that start and end, and pass each other objects of the shared registry to release.
final class SharedStorm: Sendable {
    /// `@unchecked Sendable` is safe because the class has no state except the handle, which is constant.
    final class Leaf: TracedObject, @unchecked Sendable, LockedState {}
    final class Branch: TracedObject {
        private let leaf = Leaf()
    }

    /// A class that does not inherit from `TracedObject`.
    final class Holder: Sendable {
        private let lifetimeToken = LifetimeToken(of: Holder.self)
    }

    /// Objects on their way from the creating thread to the releasing thread.
    ///
    /// `@unchecked Sendable` is safe because only one thread at a time has each object: the thread that took it out of
    /// the array.
    private struct Cargo: @unchecked Sendable, LockedState {
        var objects: [AnyObject] = []
    }

    private let cargo = Locked(Cargo())
    private let isOver = Locked(false)
    private let threads = Locked(0)

    /// Starts threads that create objects for some rounds and end.
    ///
    /// Each is followed by another thread until the storm is over.
    func start(workers: Int) {
        for _ in 0..<workers { startThread() }
    }

    /// Ends the storm and waits for its threads.
    func stop() {
        isOver.withLock { $0 = true }
        while threads.withLock({ $0 > 0 }) { usleep(100) }
        let left = cargo.withLock { cargo in
            defer { cargo = Cargo() }
            return cargo
        }
        withExtendedLifetime(left) {}
    }

    private func startThread() {
        threads.withLock { $0 += 1 }
        // Retained for the thread, which balances the retain.
        let me = Unmanaged.passRetained(self)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        var failure: Int32 = 0
        var attempts = 0
        repeat {
            failure = pthread_create(
                &thread, &attributes,
                { context in
                    guard let context else { return nil }
                    Unmanaged<SharedStorm>.fromOpaque(context).takeRetainedValue().work()
                    return nil
                }, me.toOpaque())
            attempts += 1
            // Retries on EAGAIN: thousands of threads start and end per second here, and the shortage may be temporary
            // (pthread_create(3)).
        } while failure == EAGAIN && attempts < 1000 && usleep(1000) == 0
        demand(failure == 0, "pthread_create: error \(failure)")
        pthread_attr_destroy(&attributes)
    }

    private func work() {
        var last = InstanceID(rawValue: 0)
        for round in 0..<500 {
            let leaf = Leaf()
            demand(leaf.lifetimeID > last, "an id that does not rise: \(leaf.lifetimeID) after \(last)")
            last = leaf.lifetimeID
            let made: [AnyObject] = round % 3 == 0 ? [leaf, Branch(), Holder()] : [leaf]
            let taken = exchange(made)
            withExtendedLifetime(taken) {}
        }
        // The next thread takes over the resources of this one: its stripe, free records and counters.
        if !isOver.withLock({ $0 }) { startThread() }
        threads.withLock { $0 -= 1 }
    }

    private func exchange(_ made: [AnyObject]) -> [AnyObject] {
        cargo.withLock { cargo in
            cargo.objects += made
            guard cargo.objects.count > 300 else { return Cargo() }
            let oldest = cargo.objects.count - 200
            defer { cargo.objects.removeFirst(oldest) }
            return Cargo(objects: Array(cargo.objects[..<oldest]))
        }.objects
    }
}
