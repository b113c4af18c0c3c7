import CForkBarrier
import ForkTesting
import Testing

/// Locks of other modules around `fork`.
@Suite struct ForkHookTests {
    /// A log of the hooks' calls.
    ///
    /// Used only in a process with one thread that forks.
    private enum Calls {
        nonisolated(unsafe) static var log = ""
        nonisolated(unsafe) static var refusals = 0
    }

    @Test func hooksAreRetriedUntilAllTakeAndReleasedInReverse() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 60)
            let first = lt_fork_hook(
                take: {
                    Calls.log += "a"
                    return true
                },
                give_back: { Calls.log += "A" }, give_back_in_child: { Calls.log += "1" })
            let second = lt_fork_hook(
                take: {
                    Calls.refusals -= 1
                    Calls.log += Calls.refusals < 0 ? "b" : "-"
                    return Calls.refusals < 0
                },
                give_back: { Calls.log += "B" }, give_back_in_child: { Calls.log += "2" })
            #expect(lt_fork_add_hook(first) && lt_fork_add_hook(second))
            Calls.refusals = 2
            let end = ChildProcess.run { Calls.log == "a-Aa-Aab21" ? 0 : 1 }
            #expect(end == .code(0))
            #expect(Calls.log == "a-Aa-AabBA")
        }
    }

    @Test func hooksAreBounded() async {
        await #expect(processExitsWith: .success) {
            let hook = lt_fork_hook(take: { true }, give_back: {}, give_back_in_child: {})
            // The storage already has one hook.
            for _ in 1..<LT_FORK_HOOKS { #expect(lt_fork_add_hook(hook)) }
            #expect(!lt_fork_add_hook(hook))
        }
    }
}
