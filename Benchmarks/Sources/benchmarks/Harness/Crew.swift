import CBenchmarks
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Threads that live as long as the process and perform each job together.
///
/// A program keeps its threads, too. With new threads for each round, every round would include the library's setup for
/// a thread.
final class Crew: Sendable {
    /// The work of each thread; the argument is the thread's number, from 0.
    typealias Job = @Sendable (Int) -> Void

    private struct Board {
        var number = 0
        var job: Job?
        var working = 0
    }

    let size: Int
    private let board = Guarded(Board())
    private let arrived = Atomic<Int>(0)
    private let spans: Guarded<[(start: UInt64, end: UInt64)]>

    init(_ size: Int) {
        self.size = size
        spans = Guarded(Array(repeating: (0, 0), count: size))
        for number in 0..<size { startThread { self.serve(as: number) } }
    }

    /// Runs the job on every thread and waits for all of them.
    ///
    /// - Returns: The nanoseconds from the start of the first thread to the end of the last one.
    @discardableResult
    func perform(_ job: @escaping Job) -> Double {
        arrived.store(0, ordering: .relaxed)
        board.change {
            $0.number += 1
            $0.job = job
            $0.working = size
        }
        board.wait { $0.working == 0 ? () : nil }
        return spans.withLock { spans in
            let start = spans.lazy.map(\.start).min() ?? 0
            let end = spans.lazy.map(\.end).max() ?? 0
            return Double(end - start)
        }
    }

    private func serve(as thread: Int) {
        // Otherwise the system may keep two waking threads on one processor for longer than a round lasts.
        bench_stay_on(Int32(thread % Int(bench_processors())))
        var done = 0
        while true {
            let job = board.wait { $0.number > done ? $0.job : nil }
            done += 1
            // The threads wake one after the other and begin together.
            arrived.add(1, ordering: .relaxed)
            while arrived.load(ordering: .relaxed) < size { bench_yield() }
            let start = Stopwatch.now()
            job(thread)
            let end = Stopwatch.now()
            spans.withLock { $0[thread] = (start, end) }
            board.change {
                $0.working -= 1
                if $0.working == 0 { $0.job = nil }
            }
        }
    }
}

/// Starts a thread that is never joined.
func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    // Retained for the thread, which releases it.
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let failure = pthread_create(
        &thread, nil,
        { context in
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, box)
    #else
    var thread = pthread_t()
    let failure = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, box)
    #endif
    precondition(failure == 0, "pthread_create: error \(failure)")
}
