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
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "cycle": plantCycles()
        case "surroundings": printSurroundings()
        case "descriptors": printDescriptors()
        case "exit": exit(Int32(words.last ?? "") ?? 99)
        case "_exit": _exit(Int32(words.last ?? "") ?? 99)
        case "signal": endBySignal(Int32(words.last ?? "") ?? SIGTERM)
        case "trap": trap()
        case "close-all": closeAllDescriptors()
        case "fork": forkChild()
        case "exec": replace(with: Array(words.dropFirst()))
        case let word: print("unknown: \(word ?? "nothing")")
        }
    }

    /// Leaks three cycles, and waits until a signal ends the program.
    private static func plantCycles() {
        for _ in 0..<3 {
            let screen = PlainScreen()
            let model = PlainModel()
            screen.model = model
            model.screen = screen
        }
        print("planted")
        fflush(nil)
        while true { pause() }
    }

    /// Prints the arguments byte by byte, the environment, the working directory and the signals.
    private static func printSurroundings() {
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

    private static func trap() {
        fflush(nil)
        let numbers: [Int] = []
        print(numbers[Int(CommandLine.argc)])
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
    private static func forkChild() {
        guard let symbol = dlsym(nil, "fork") else { return }
        // Safe: this is the signature of fork(2).
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        fflush(nil)
        let child = fork()
        if child == 0 {
            let screen = PlainScreen()
            screen.model = PlainModel()
            _exit(screen.model == nil ? 8 : 7)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        print("child", (status >> 8) & 0xFF, status & 0x7F)
    }

    private static func replace(with words: [String]) {
        fflush(nil)
        let arguments = words.map { strdup($0) } + [nil]
        execvp(words.first ?? "", arguments)
    }
}
