import LifetimeTracer
import LifetimeTracerServer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Ends the process when the last thread of the program has ended, as the C library does without the agent's threads.
///
/// A process whose first thread calls `pthread_exit` lives until its last thread has ended, and then ends with status
/// 0.
enum LastThread {
    /// The names of the agent's own threads begin so.
    private static let ownPrefix = Array("tracer".utf8)
    /// The name of the thread that the HTTP library starts for the server.
    private static let serverThread = Array("MHD-single".utf8)

    /// Looks once a second from now on.
    static func watch() {
        #if os(Linux)
        // The work at exit can take longer than a second, and a second call of `exit` would end the process meanwhile.
        let isEnding = Locked(false)
        _ = LifetimeRegistry.shared.observeSamples {
            // Usually, this reads one small file and nothing else.
            guard !isEnding.withLock({ $0 }), ProcessStat.fields()?.hasEnded == true, !programHasThreads()
            else { return }
            isEnding.withLock { $0 = true }
            // Exit handlers may need the thread on which this code runs.
            guard (try? SystemThread.detach(named: "tracer-last") { exit(0) }) == nil else { return }
            exit(0)
        }
        #endif
    }

    #if os(Linux)
    /// Whether a thread other than the first one and the agent's exists; true if that is not known.
    private static func programHasThreads() -> Bool {
        guard let folder = opendir("/proc/self/task") else { return true }
        defer { closedir(folder) }
        var serverThreads = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 } }
            guard let thread = Int32(String(decoding: name, as: UTF8.self)), thread != getpid() else { continue }
            // A thread that has ended meanwhile has no file.
            guard let text = try? OpenFile("/proc/self/task/\(thread)/comm").bytes(atMost: 16) else { continue }
            if text.starts(with: serverThread) {
                serverThreads += 1
            } else if !text.starts(with: ownPrefix) {
                return true
            }
        }
        // The program may have a server of the same library.
        return serverThreads > 1
    }
    #endif
}
