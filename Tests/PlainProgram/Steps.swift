#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

final class PlainCard {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}

/// Steps in which objects come and go, so that a test can look at the page between two of them.
enum Steps {
    // `nonisolated(unsafe)` is safe because the main thread alone uses the queue.
    nonisolated(unsafe) private static var cards: [PlainCard] = []

    /// Takes the first step, and each further step when the signal SIGUSR1 arrives; then waits until a signal ends the
    /// program.
    ///
    /// Prints `step` and the step's number after each step.
    ///
    /// - Parameter changes: For each step, how many cards are created or, if negative, how many of the oldest die.
    static func take(_ changes: [Int]) {
        var next = sigset_t()
        sigemptyset(&next)
        sigaddset(&next, SIGUSR1)
        // Blocked before the first step is reported, so that no signal is lost.
        pthread_sigmask(SIG_BLOCK, &next, nil)
        for (index, change) in changes.enumerated() {
            if change < 0 {
                cards.removeFirst(-change)
            } else {
                for number in 0..<change { cards.append(PlainCard(number)) }
            }
            print("step", index + 1)
            fflush(nil)
            var received: Int32 = 0
            sigwait(&next, &received)
        }
        while true { pause() }
    }
}
