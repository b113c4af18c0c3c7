#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A program whose first thread ends before another one.
enum LeavingMain {
    private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { first in
        // The argument is the handle of the first thread, whose end is awaited.
        pthread_join(pthread_t(UInt(bitPattern: first)), nil)
        print("last thread")
        return nil
    }

    static func run() -> Never {
        var thread = pthread_t()
        let first = UnsafeMutableRawPointer(bitPattern: UInt(pthread_self()))
        guard pthread_create(&thread, nil, body, first) == 0 else { exit(1) }
        pthread_exit(nil)
    }
}
