#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A thread with the smallest stack that the system allows, on which the first object of a class is created.
enum SmallStack {
    final class Crumb {
        var size = 1
    }

    // `nonisolated(unsafe)` is safe because the threads use the variable one after the other.
    nonisolated(unsafe) private static var crumbs: [Crumb] = []

    private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
        addCrumb()
        return nil
    }

    static func use() {
        crumbs.reserveCapacity(1)
        guard startAndWait() == 0 else { return print("no thread") }
        print("crumbs", crumbs.count)
    }

    private static func addCrumb() {
        crumbs.append(Crumb())
    }

    private static func startAndWait() -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Int(sysconf(Int32(_SC_THREAD_STACK_MIN))))
        var thread = pthread_t()
        let failure = pthread_create(&thread, &attributes, body, nil)
        return failure == 0 ? pthread_join(thread, nil) : failure
    }
}
