#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A program that forks, as servers with several processes do.
enum Workers {
    /// Forks a child, a child that forks a child of its own and ends, and a child that starts `cat`.
    ///
    /// Prints the process ids of the three that remain, waits for the signal SIGUSR1, ends them, and waits until a
    /// signal ends this process. They end with this process in any case.
    static func run() {
        var signal = sigset_t()
        sigemptyset(&signal)
        sigaddset(&signal, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &signal, nil)
        // The children end when no process has the second descriptor, even if this process is killed.
        var life: [Int32] = [0, 0]
        var name: [Int32] = [0, 0]
        guard pipe(&life) == 0, pipe(&name) == 0, let symbol = dlsym(nil, "fork") else { return }
        // Safe: this is the signature of fork(2).
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let worker = fork()
        if worker == 0 { work(life) }
        let daemon = fork()
        if daemon == 0 {
            var inner = fork()
            if inner == 0 { work(life) }
            write(name[1], &inner, MemoryLayout<pid_t>.size)
            _exit(0)
        }
        var inner: pid_t = 0
        _ = read(name[0], &inner, MemoryLayout<pid_t>.size)
        waitpid(daemon, nil, 0)
        let cat = fork()
        if cat == 0 {
            dup2(life[0], STDIN_FILENO)
            close(life[1])
            let words: [UnsafeMutablePointer<CChar>?] = [strdup("cat"), nil]
            execv("/bin/cat", words)
            _exit(1)
        }
        print("workers", worker, inner, "other", cat)
        fflush(nil)
        var received: Int32 = 0
        sigwait(&signal, &received)
        close(life[1])
        while true { pause() }
    }

    private static func work(_ life: [Int32]) -> Never {
        close(life[1])
        var byte: UInt8 = 0
        _ = read(life[0], &byte, 1)
        _exit(0)
    }
}
