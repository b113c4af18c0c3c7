#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import TracerBase

extension RetainPathsError {
    /// The error for a refused copy of the process.
    static func cannotCopy(_ error: SystemError) -> Self {
        let remedy = error.isShortage ? ProcessLimits.reason(for: error) : "Allow the system call clone."
        return .failed(reason: "the process cannot be copied: \(error). \(remedy)")
    }
}

/// A frozen copy of the process, which searches itself.
///
/// The thread that makes the copy must also wait for it, because the copy ends with that thread.
struct FrozenCopy: ~Copyable {
    /// The reason for which the wait ended.
    enum Ending {
        case ended(status: Int32)
        case timedOut(step: String)
        case cancelled
    }

    /// The interval at which the copy's progress is read, in milliseconds.
    private static let interval: CInt = 5

    private let process: Int32
    // Shared with the copy; valid until the wait is over, see `init`.
    private let answer: UnsafeMutablePointer<rp_answer>
    /// The time that copying the process took, in nanoseconds.
    let pause: UInt64

    /// Copies the process.
    ///
    /// The memory that `request` points to must stay valid until this initializer returns, and `answer` until the wait
    /// is over.
    init(_ request: rp_request, answer: UnsafeMutablePointer<rp_answer>) throws(RetainPathsError) {
        var pause: UInt64 = 0
        let process = withUnsafePointer(to: request) { rp_start_frozen_copy($0, answer, &pause) }
        guard process > 0 else {
            throw .cannotCopy(.last)
        }
        self.process = process
        self.answer = answer
        self.pause = pause
    }

    /// Waits until the copy has ended.
    ///
    /// Kills the copy if the budget is used up or the search is cancelled.
    consuming func wait(within budget: inout SearchBudget, observer: SearchObserver) -> Ending {
        let former = budget
        let descriptor = rp_open_process(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        var phase: UInt32 = 0
        while true {
            let isOver = isOver(descriptor)
            // The copy's processor time counts, because on a busy machine it is less than the elapsed time.
            budget = former
            budget.spend(.nanoseconds(Int64(clamping: rp_processor_time(process))))
            if isOver {
                var status: Int32 = 0
                // Code of the program that waits for any child may have reaped the copy. The copy's answer is valid all
                // the same.
                _ = rp_reap(process, true, &status)
                return .ended(status: status)
            }
            let current = rp_current_phase(answer)
            if current != phase {
                phase = current
                if let told = Self.progress(ofPhase: current) { observer.progress(told) }
            }
            if observer.isCancelled() { return end(.cancelled) }
            if budget.isSpent { return end(.timedOut(step: Self.step(ofPhase: current, answer, budget))) }
        }
    }

    /// Waits for at most one interval.
    ///
    /// Returns whether the copy has ended.
    private borrowing func isOver(_ descriptor: Int32) -> Bool {
        if descriptor >= 0 {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return Glibc.poll(&poll, 1, Self.interval) > 0
        }
        var information = siginfo_t()
        // 0x0100_0000 is WNOWAIT, which leaves the copy to `rp_reap`; 0x4000_0000 is __WALL. `si_signo` is 0 while the
        // copy runs.
        let flags = WEXITED | WNOHANG | CInt(bitPattern: UInt32(0x0100_0000)) | CInt(bitPattern: UInt32(0x4000_0000))
        let failure = waitid(P_PID, id_t(process), &information, flags)
        if failure != 0 || information.si_signo != 0 { return true }
        usleep(useconds_t(Self.interval) * 200)
        return false
    }

    private borrowing func end(_ ending: Ending) -> Ending {
        kill(process, SIGKILL)
        var status: Int32 = 0
        _ = rp_reap(process, true, &status)
        return ending
    }

    private static func step(
        ofPhase phase: UInt32, _ answer: UnsafePointer<rp_answer>, _ budget: SearchBudget
    ) -> String {
        let work =
            switch rp_phase(phase) {
            case RP_PHASE_WALKING: "listing the heap blocks"
            case RP_PHASE_COUNTING: "counting the references among \(answer.pointee.counts.blocks) blocks"
            case RP_PHASE_SEARCHING: "searching for paths among \(answer.pointee.counts.blocks) blocks"
            default: "copying the process"
            }
        return "while \(work): \(budget)"
    }

    private static func progress(ofPhase phase: UInt32) -> RetainPaths.Progress? {
        switch rp_phase(phase) {
        case RP_PHASE_COPYING: .copying
        case RP_PHASE_WALKING: .walking
        case RP_PHASE_COUNTING, RP_PHASE_SEARCHING: .searching
        default: nil
        }
    }
}
#endif
