import Glibc

/// The resources that a search leaves behind.
enum Leftovers {
    /// Threads that have ended are listed for a moment longer.
    private static let patience = 30.0

    /// Runs a body repeatedly, and prints whether the numbers of descriptors, threads, mappings and children are back
    /// to normal.
    static func check(_ body: () -> Void) {
        body()
        let before = Count()
        for _ in 0..<3 { body() }
        let end = now() + patience
        var after = Count()
        while !after.isBack(to: before), now() < end {
            usleep(10_000)
            after = Count()
        }
        say(after.isBack(to: before) && !hasSilentChild ? "nothing left" : "wrong: \(before), then \(after)")
    }

    static var threadCount: Int { entries(in: "/proc/self/task") }

    private struct Count {
        let threads = Leftovers.threadCount
        let descriptors = entries(in: "/proc/self/fd")
        let mappings = Leftovers.mappings

        func isBack(to before: Self) -> Bool {
            // The number of mappings varies a little, because of malloc and the stacks of ended threads.
            threads <= before.threads && descriptors <= before.descriptors && mappings <= before.mappings + 16
        }
    }

    private static func entries(in path: String) -> Int {
        guard let folder = opendir(path) else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Two entries are "." and "..".
        return count - 2
    }

    private static var mappings: Int {
        guard let file = fopen("/proc/self/maps", "r") else { return -1 }
        defer { fclose(file) }
        var count = 0
        while case let byte = getc(file), byte != EOF { count += byte == 0x0A ? 1 : 0 }
        return count
    }

    private static var hasSilentChild: Bool {
        var status: CInt = 0
        // __WCLONE selects children that send another signal than SIGCHLD, or none.
        return waitpid(-1, &status, WNOHANG | CInt(bitPattern: UInt32(0x8000_0000))) != -1 || errno != ECHILD
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
