import CBenchmarks
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Threads that live as long as the process and do each job together.
///
/// They are kept between jobs, as a program keeps its threads: what the library sets up for a new thread is not measured
/// with every round.
final class Crew: Sendable {
    /// What each thread does; it is told its number, from 0.
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

    /// Has every thread do the job and waits for all.
    ///
    /// - Returns: Nanoseconds from when the first began until the last was through.
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
        // Else the system may leave two that wake together on one processor for longer than a round lasts.
        bench_stay_on(Int32(thread % Int(bench_processors())))
        var done = 0
        while true {
            let job = board.wait { $0.number > done ? $0.job : nil }
            done += 1
            // They wake one after the other and begin together.
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
    // Retained here for the thread, and released by the thread.
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
