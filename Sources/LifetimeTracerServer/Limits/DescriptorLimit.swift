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
            return "all files that the system allows at once are open; raise fs.file-max, or close files"
        }
        return "the program may have \(current) files open (RLIMIT_NOFILE); raise that with ulimit -n or LimitNOFILE=,"
            + " or close files"
    }
}
