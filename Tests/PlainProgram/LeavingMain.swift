#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A program whose first thread ends before another one.
enum LeavingMain {
    private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
        // The first thread has certainly ended by then; nothing else tells that.
        usleep(200_000)
        print("last thread")
        return nil
    }

    static func run() -> Never {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, body, nil) == 0 else { exit(1) }
        pthread_exit(nil)
    }
}
