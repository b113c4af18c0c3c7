import CLifetimeRuntime
import ForkTesting
import Testing

@testable import LifetimeTracer

#if canImport(Glibc)
import Glibc
#endif

private let milliseconds: UInt64 = 1_000_000

/// The time in the record of a new object, in the unit of records.
private func timeOfBirth(_ leaf: SharedStorm.Leaf) -> UInt64 {
    var record = lt_record()
    demand(lt_read_record(UnsafePointer(bitPattern: leaf.lifetimeID.place), &record))
    return record.word1 >> UInt64(LT_CONTEXT_BITS)
}

#if os(Linux)
private let hasClockThread = dlsym(nil, "__tsan_init") == nil

/// Creates objects until the clock thread keeps the time; `false` if the system is too busy for it.
private func startClock() -> Bool {
    for _ in 0..<100 {
        for _ in 0..<100_000 where !lt_has_clock() { _ = SharedStorm.Leaf() }
        if lt_has_clock() { return true }
    }
    return false
}
#endif

/// The time of births while there are many, see `birth_clock.h`.
///
/// Each test runs in its own process, because the clock belongs to the process.
@Suite struct BirthClockTests {
    @Test func birthsTakeTheTimeOfTheLastStep() async {
        await #expect(processExitsWith: .success) {
            _ = SharedStorm.Leaf()
            demand(!lt_has_clock())
            var step = lt_clock_step()
            lt_begin_clock(&step)
            demand(lt_step_clock(&step, 1000 * milliseconds, 100, 1))
            demand(lt_has_clock() && timeOfBirth(SharedStorm.Leaf()) == 100)
            demand(lt_step_clock(&step, 1004 * milliseconds, 104, 2))
            demand(timeOfBirth(SharedStorm.Leaf()) == 104)
            demand(lt_time_after_gap(100) == 100 && lt_time_after_gap(104) == 104)
        }
    }

    @Test func clockStopsWithoutBirths() async {
        await #expect(processExitsWith: .success) {
            _ = SharedStorm.Leaf()
            var step = lt_clock_step()
            lt_begin_clock(&step)
            demand(lt_step_clock(&step, 1000 * milliseconds, 100, 1))
            for number in 1..<UInt64(LT_QUIET_STEPS) {
                demand(lt_step_clock(&step, (1000 + 4 * number) * milliseconds, 100 + number, 1))
            }
            demand(lt_has_clock())
            demand(!lt_step_clock(&step, 1100 * milliseconds, 125, 1))
            demand(!lt_has_clock())
            let before = lt_ticks() >> UInt64(lt_time_shift())
            let time = timeOfBirth(SharedStorm.Leaf())
            demand(time >= before && time <= lt_ticks() >> UInt64(lt_time_shift()))
        }
    }

    @Test func birthInAGapCountsAsBornAtItsEnd() async {
        await #expect(processExitsWith: .success) {
            _ = SharedStorm.Leaf()
            var step = lt_clock_step()
            lt_begin_clock(&step)
            demand(lt_step_clock(&step, 1000 * milliseconds, 100, 1))
            // Exactly the longest step is no gap.
            demand(lt_step_clock(&step, 1008 * milliseconds, 108, 2))
            demand(!lt_step_clock(&step, 1017 * milliseconds, 117, 3))
            demand(!lt_has_clock())
            demand(lt_step_clock(&step, 4000 * milliseconds, 4100, 4))
            demand(!lt_step_clock(&step, 9000 * milliseconds, 9100, 5))
            let times: [UInt64] = [99, 100, 107, 108, 116, 117, 118, 4099, 4100, 9100, 9101]
            demand(
                times.map { lt_time_after_gap($0) } == [99, 100, 107, 117, 117, 117, 118, 4099, 9100, 9100, 9101])
        }
    }

    @Test func birthsRefreshTheTimeWhileTheClockThreadIsLate() async {
        await #expect(processExitsWith: .success) {
            _ = SharedStorm.Leaf()
            var step = lt_clock_step()
            lt_begin_clock(&step)
            lt_refresh_time(50)
            demand(!lt_has_clock(), "births do not start the clock")
            demand(lt_step_clock(&step, 1000 * milliseconds, 100, 1))
            demand(lt_step_clock(&step, 1004 * milliseconds, 104, 2))
            lt_refresh_time(108)
            demand(timeOfBirth(SharedStorm.Leaf()) == 104, "the thread is not late after 4 ms")
            for now: UInt64 in [109, 116, 123] {
                lt_refresh_time(now)
                demand(timeOfBirth(SharedStorm.Leaf()) == now)
            }
            lt_refresh_time(120)
            demand(timeOfBirth(SharedStorm.Leaf()) == 123, "the time never returns to an earlier one")
            // The thread's step was due long ago, but the time is only 5 ms old.
            demand(lt_step_clock(&step, 1028 * milliseconds, 128, 3))
            demand(timeOfBirth(SharedStorm.Leaf()) == 128 && lt_time_after_gap(104) == 104)
            // A birth refreshes the time after the thread has read the clock for its step.
            lt_refresh_time(135)
            demand(lt_step_clock(&step, 1034 * milliseconds, 134, 4))
            demand(timeOfBirth(SharedStorm.Leaf()) == 135)
        }
    }

    @Test func gapBeginsAtTheTimeThatBirthsRefreshedLast() async {
        await #expect(processExitsWith: .success) {
            _ = SharedStorm.Leaf()
            var step = lt_clock_step()
            lt_begin_clock(&step)
            demand(lt_step_clock(&step, 1000 * milliseconds, 100, 1))
            demand(lt_step_clock(&step, 1004 * milliseconds, 104, 2))
            lt_refresh_time(110)
            lt_refresh_time(119)
            demand(timeOfBirth(SharedStorm.Leaf()) == 110, "births leave a gap to the thread")
            demand(!lt_step_clock(&step, 1021 * milliseconds, 121, 3))
            demand(!lt_has_clock())
            demand([104, 109, 110, 120, 121].map { lt_time_after_gap($0) } == [104, 109, 121, 121, 121])
        }
    }

    @Test func gapWithoutBirthsIsFollowedByNoPause() async {
        await #expect(processExitsWith: .success) {
            var step = lt_clock_step()
            lt_begin_clock(&step)
            demand(lt_step_clock(&step, 1000 * milliseconds, 1000, 1))
            demand(lt_step_clock(&step, 1004 * milliseconds, 1004, 2))
            lt_refresh_time(1008)
            demand(!lt_step_clock(&step, 1050 * milliseconds, 1050, 3))
            demand(lt_clock_rests_until() == 0)
        }
    }

    @Test func pauseAfterAGapIsShort() async {
        await #expect(processExitsWith: .success) {
            var step = lt_clock_step()
            lt_begin_clock(&step)
            var now = 1000 * milliseconds
            // Makes a gap that ends at `now`, and returns the pause after it in milliseconds.
            func pauseAfterGap() -> UInt64 {
                _ = lt_step_clock(&step, now - 9 * milliseconds, now / milliseconds - 9, now)
                lt_refresh_time(now / milliseconds)
                demand(!lt_step_clock(&step, now, now / milliseconds, now + 1))
                return (lt_clock_rests_until() - now) / milliseconds
            }
            var pauses: [UInt64] = []
            for _ in 0..<6 {
                pauses.append(pauseAfterGap())
                now += 900 * milliseconds
            }
            now += 10_000 * milliseconds
            demand(pauses + [pauseAfterGap()] == [100, 200, 400, 800, 800, 800, 100])
        }
    }

    @Test func manyGapsAreMergedAndStayTrue() async {
        await #expect(processExitsWith: .success) {
            var step = lt_clock_step()
            lt_begin_clock(&step)
            let count = 3 * UInt64(LT_MOST_GAPS)
            func start(_ gap: UInt64) -> UInt64 { 1000 + gap * 1000 }
            for gap in 0..<count {
                demand(lt_step_clock(&step, start(gap) * milliseconds, start(gap), 2 * gap))
                demand(!lt_step_clock(&step, (start(gap) + 10) * milliseconds, start(gap) + 10, 2 * gap + 1))
            }
            let end = start(count)
            for gap in 0..<count {
                // Births at the start happened before the end of the gap. Nothing is ever reported as older than it is,
                // and nothing as younger by more than a hundredth of its age, or some seconds for the last ones.
                for (time, latest) in [(start(gap), start(gap) + 10), (start(gap) + 500, start(gap) + 500)] {
                    let read = lt_time_after_gap(time)
                    demand(read >= latest && read - latest <= (end - time) / 100 + 10)
                }
            }
        }
    }

    #if os(Linux)
    @Test(.enabled(if: hasClockThread)) func timeOfBirthIsFreshAfterAPauseOfManyBirths() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 180)
            // A busy system may not run the thread in time. Then births read the ticks, and the rest holds as well.
            _ = startClock()
            while lt_has_clock() { usleep(1000) }
            let before = SystemClock().now()
            let leaf = SharedStorm.Leaf()
            guard let born = LifetimeRegistry.shared.snapshot().instances.first?.bornAt else { fatalError("no birth") }
            demand(born + .milliseconds(10) >= before && born <= SystemClock().now())
            withExtendedLifetime(leaf) {}
        }
    }

    @Test(.enabled(if: hasClockThread && Sanitizer.allowsChildren)) func forkChildHasNoClockOfItsParent() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 180)
            var step = lt_clock_step()
            lt_begin_clock(&step)
            demand(lt_step_clock(&step, 1000 * milliseconds, 100, 1))
            let end = ChildProcess.run { lt_has_clock() ? 1 : 0 }
            demand(end == .code(0) && lt_has_clock())
        }
    }
    #endif
}
