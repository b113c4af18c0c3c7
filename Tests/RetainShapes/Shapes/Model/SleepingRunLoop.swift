import Foundation
internal import LifetimeTracer

/// A run loop that sleeps for the life of the program, on a thread of its own.
///
/// `@unchecked Sendable` is safe because other threads never call the loop, and only the planting thread writes the
/// unused word.
final class SleepingRunLoop: @unchecked Sendable {
    private let runLoop: RunLoop
    /// The last word of the memory of the loop's current run, which CoreFoundation never reads or writes: it asks for
    /// 16 bytes (`_per_run_data` in CFRunLoop.c) and gets 24.
    private let unusedWord: UnsafeMutablePointer<Int>

    /// The offsets of the loop's CoreFoundation object in a `RunLoop`, and of `_perRunData` in that object.
    private static let innerLoop = 16
    private static let currentRun = 72
    /// The first eight bytes of a run's memory: "CFRL", twice.
    private static let mark = 0x4346_524C_4346_524C

    init() {
        let found = Locked<Found?>(nil)
        Thread.detachNewThread {
            // Without a timer or source, the run loop would return immediately.
            RunLoop.current.add(Timer(timeInterval: 1_000_000, repeats: true) { _ in }, forMode: .default)
            RunLoop.current.perform {
                let loop = RunLoop.current
                found.withLock { $0 = Found(runLoop: loop, run: Self.memoryOfRun(of: loop)) }
            }
            while RunLoop.current.run(mode: .default, before: .distantFuture) {}
        }
        let made = found.first("the run loop sleeps")
        runLoop = made.runLoop
        unusedWord = made.run + 2
    }

    /// Writes an address to the unused word.
    func leave(address: Int) { unusedWord.pointee = address }

    // `@unchecked Sendable` is safe for the reason stated for `SleepingRunLoop`.
    private struct Found: @unchecked Sendable, LockedState {
        let runLoop: RunLoop
        let run: UnsafeMutablePointer<Int>
    }

    /// Returns the memory of a loop's current run.
    private static func memoryOfRun(of loop: RunLoop) -> UnsafeMutablePointer<Int> {
        // The pointers are valid because the loop lives and is running.
        let inner = Unmanaged.passUnretained(loop).toOpaque()
            .load(fromByteOffset: innerLoop, as: UnsafeRawPointer.self)
        let run = inner.load(fromByteOffset: currentRun, as: UnsafeMutablePointer<Int>.self)
        precondition(run.pointee == mark, "CoreFoundation's memory of a run is not where it was")
        return run
    }
}
