#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The limit on the number of files that the program may have open.
enum DescriptorLimit {
    /// The current soft limit; `Int.max` if there is none or it cannot be read.
    static var current: Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let failure = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
        let failure = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        guard failure == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Whether the error says that this program or the system has reached its limit of open files.
    static func isReached(_ failure: Int32) -> Bool {
        failure == EMFILE || failure == ENFILE
    }

    /// Names the limit that was reached and how to raise it.
    static func remedy(for failure: Int32) -> String {
        if failure == ENFILE {
            return "the system has reached its limit of open files; raise fs.file-max, or close files"
        }
        return "the program has reached its limit of \(current) open files (RLIMIT_NOFILE);"
            + " raise the limit with ulimit -n or LimitNOFILE=, or close files"
    }
}
