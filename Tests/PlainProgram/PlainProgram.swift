// A program that does not link the library, to be started by `tracer-server run` and without it. Its first argument
// says what it does; a comparison of both runs shows what the program notices of the agent.

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

final class PlainScreen {
    var model: PlainModel?
}

final class PlainModel {
    var screen: PlainScreen?
}

@main enum PlainProgram {
    static func main() {
        // First, because other code may set the flags. They are the lowest bits on each processor.
        let floatingPointFlags = fetestexcept(0x3F)
        // The runtime computes `CommandLine.arguments` once, so the program may change its arguments until then.
        if let first = CommandLine.unsafeArgv[1], strcmp(first, "change-arguments") == 0 { first[0] = 0x43 }
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "steps": Steps.take(words.dropFirst().compactMap { Int($0) })
        case "host": hostGuests(words)
        case "reload": reloadGuests(words)
        case "cycle": plantCycles()
        case "leak": leak(andExitWith: Int32(words.last ?? "") ?? 99)
        case "leak-closure": leakClosure()
        case "hide-cycle": HiddenCycle.plant()
        case "known-heap": KnownHeap.make()
        case "over-retain": OverRetained.plant()
        case "wait": waitForSignal(Int32(words.last ?? "") ?? SIGTERM)
        case "close-output": closeOutput()
        case "replace-errors": replaceErrors(by: words.last ?? "")
        case "surroundings": printSurroundings(floatingPointFlags)
        case "descriptors": printDescriptors()
        case "Change-arguments": print("changed")
        case "stop": stop()
        case "exit": exit(Int32(words.last ?? "") ?? 99)
        case "_exit": _exit(Int32(words.last ?? "") ?? 99)
        case "signal": endBySignal(Int32(words.last ?? "") ?? SIGTERM)
        case "trap": Crash.crash(inDeinit: words.last == "in-deinit")
        case "close-all": closeAllDescriptors()
        case "fork": forkChild(andCallExit: words.last == "exit")
        case "workers": Workers.run()
        case "small-stack": SmallStack.use()
        case "leave-main": LeavingMain.run()
        case "filter": SystemCallFilter.allocateWithoutThreads()
        case "exec-blocking": block(SIGCHLD, andRaise: words[1] == "raised", thenExec: Array(words.dropFirst(2)))
        case "exec": replace(with: Array(words.dropFirst()))
        case let word: print("unknown: \(word ?? "nothing")")
        }
    }

    /// Stops like an editor on Control-Z, and ends after it goes on.
    private static func stop() {
        print("stops")
        fflush(nil)
        raise(SIGTSTP)
        print("goes on")
        exit(3)
    }

    /// Leaks three cycles, and waits until a signal ends the program.
    private static func plantCycles() {
        leakCycles()
        print("planted")
        fflush(nil)
        while true { pause() }
    }

    @inline(never)
    private static func leakCycles() {
        for _ in 0..<3 {
            let screen = PlainScreen()
            let model = PlainModel()
            screen.model = model
            model.screen = screen
        }
    }

    /// Leaks three cycles and calls `exit`, with output that only `exit` writes.
    private static func leak(andExitWith status: Int32) {
        leakCycles()
        print("the last words")
        exit(status)
    }

    /// Leaks a closure that captures the variable that holds the closure, and no object of a class.
    @inline(never) @_optimize(none)
    private static func leakClosure() {
        var sum: (Int) -> Int = { $0 }
        sum = { number in number <= 0 ? 0 : number + sum(number - 1) }
        print("sum", sum(3))
    }

    /// Waits for a signal without a handler, and prints whether it arrives again within half a second.
    private static func waitForSignal(_ number: Int32) {
        var awaited = sigset_t()
        sigemptyset(&awaited)
        sigaddset(&awaited, number)
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        print("waiting", getpid())
        fflush(nil)
        var received: Int32 = 0
        sigwait(&awaited, &received)
        var patience = timespec(tv_sec: 0, tv_nsec: 500_000_000)
        print("received", received, sigtimedwait(&awaited, nil, &patience) < 0 ? "once" : "twice")
    }

    /// Closes standard output, and waits until a signal ends the program.
    private static func closeOutput() {
        close(STDOUT_FILENO)
        while true { pause() }
    }

    /// Ends with an own file in the place of standard error.
    private static func replaceErrors(by path: String) {
        close(STDERR_FILENO)
        exit(open(path, O_CREAT | O_WRONLY, 0o600) == STDERR_FILENO ? 0 : 1)
    }

    /// Prints the arguments byte by byte, the environment, the working directory and the signals.
    private static func printSurroundings(_ floatingPointFlags: Int32) {
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument))
            print("argument", bytes.map(UInt8.init(bitPattern:)))
        }
        var variable = environ
        while let text = variable.pointee {
            print("variable", String(cString: text))
            variable += 1
        }
        print("folder", getcwd(nil, 0).map { String(cString: $0) } ?? "none")
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        print("blocked", (1...64).filter { sigismember(&mask, Int32($0)) == 1 })
        let ignored = (1..<SIGSYS).filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            // Safe: both types are one word, and the pointer is compared with SIG_IGN, not called.
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        }
        print("ignored", ignored)
        var pending = sigset_t()
        sigpending(&pending)
        print("pending", (1...64).filter { sigismember(&pending, Int32($0)) == 1 })
        print("floating point", floatingPointFlags)
    }

    /// Prints the descriptors below 10, and that of a new file.
    private static func printDescriptors() {
        print("open", (0..<10).filter { fcntl($0, F_GETFD) >= 0 })
        print("new", open("/dev/null", O_RDONLY))
    }

    private static func endBySignal(_ number: Int32) {
        fflush(nil)
        raise(number)
    }

    /// Closes all descriptors but the standard streams, as daemons do, and then uses new ones.
    private static func closeAllDescriptors() {
        for descriptor in 3..<Int32(1024) { close(descriptor) }
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        write(ends[1], "text", 4)
        var buffer = [UInt8](repeating: 0, count: 8)
        let count = read(ends[0], &buffer, 8)
        print("pipe", ends, String(decoding: buffer.prefix(count), as: UTF8.self))
    }

    /// Forks a child that allocates and ends with 7, and prints how the child ended.
    private static func forkChild(andCallExit callsExit: Bool) {
        guard let symbol = dlsym(nil, "fork") else { return }
        // Safe: this is the signature of fork(2).
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        fflush(nil)
        let child = fork()
        if child == 0 {
            let screen = PlainScreen()
            screen.model = PlainModel()
            let status: Int32 = screen.model == nil ? 8 : 7
            if callsExit { exit(status) }
            _exit(status)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        print("child", (status >> 8) & 0xFF, status & 0x7F)
    }

    /// Lets a library in C, the second word, load another library, the third.
    private static func hostGuests(_ words: [String]) {
        guard words.count == 3, let host = dlopen(words[1], RTLD_NOW), let symbol = dlsym(host, "hostGuests") else {
            return print("no host")
        }
        // Safe: the library declares the function so.
        unsafeBitCast(symbol, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self)(words[2])
    }

    /// Loads a library, the second word, lets it create objects and closes it, as often as the third word says.
    private static func reloadGuests(_ words: [String]) {
        guard words.count == 3, let count = Int(words[2]) else { return }
        for _ in 0..<count {
            guard let library = dlopen(words[1], RTLD_NOW), let symbol = dlsym(library, "makeGuests") else {
                return print("no library")
            }
            // Safe: the library declares the function so.
            unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
            dlclose(library)
        }
        print("reloaded", count)
    }

    /// Starts another program with a blocked signal, which has arrived before or not.
    private static func block(_ number: Int32, andRaise raises: Bool, thenExec words: [String]) {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, number)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        if raises { kill(getpid(), number) }
        replace(with: words)
    }

    private static func replace(with words: [String]) {
        fflush(nil)
        let arguments = words.map { strdup($0) } + [nil]
        execvp(words.first ?? "", arguments)
    }
}
