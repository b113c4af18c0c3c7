#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value behind a plain mutex, with a condition variable for its changes.
///
/// `@unchecked Sendable` is safe because `value` is only accessed between lock and unlock of `mutex`.
final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    // The mutex and the condition must not move, so they are on the heap. `deinit` frees them; at that point no thread
    // can use them.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        changed.initialize(to: pthread_cond_t())
        let failure = pthread_mutex_init(mutex, nil) + pthread_cond_init(changed, nil)
        precondition(failure == 0, "pthread_mutex_init or pthread_cond_init failed: \(failure)")
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    /// Changes the value and wakes all waiting threads.
    func change(_ body: (inout Value) -> Void) {
        withLock(body)
        pthread_cond_broadcast(changed)
    }

    /// Waits until `body` returns a value; calls it again after each change.
    func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = attempt(body) { return result }
            pthread_cond_wait(changed, mutex)
        }
    }

    // A separate call, so that no access to the value lasts during the wait.
    @inline(never)
    private func attempt<Result>(_ body: (inout Value) -> Result?) -> Result? { body(&value) }
}
