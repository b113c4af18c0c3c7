import CLifetimeRuntime
import ForkTesting
import LifetimeTracer
import Patience
import StripeStress
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The exclusion between the owner of a stripe and other threads, see `stripe_entry.h`.
///
/// Each test runs in its own process, because the form of entering belongs to the process.
@Suite struct StripeProtocolTests {
    /// More threads than processors on a small machine, so that owners are preempted inside.
    private static let plan = stripe_stress(
        owners: 3, claimers: 2, rounds: Sanitizer.isPresent ? 50 : 200, has_yields: true, ends_early: false)

    private static func demandExclusion() {
        let outcome = stripe_stress_run(plan)
        demand(outcome.meetings == 0, "\(outcome.meetings) meetings in \(outcome.visits) visits")
        demand(outcome.lost == 0, "\(outcome.lost) lost changes in \(outcome.visits) visits")
        demand(outcome.claims == UInt64(plan.claimers) * plan.rounds * UInt64(plan.owners + 1))
    }

    @Test func ownersAndClaimsNeverMeetInTheFormInForce() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: UInt32(Patience.seconds))
            Self.demandExclusion()
        }
    }

    @Test func ownersAndClaimsNeverMeetInTheLockedForm() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: UInt32(Patience.seconds))
            lt_set_stripe_form(LT_STRIPES_LOCKED)
            lt_replace_membarrier { fatalError("the locked form needs no membarrier") }
            Self.demandExclusion()
        }
    }

    #if os(Linux)
    /// Whether this process may show that the plain form needs `membarrier`: two threads must run at the same time.
    private static let canMissTheBarrier = !Sanitizer.isPresent && stripe_stress_processors() > 1

    /// The control of the tests above: they would see it if a claim did not call `membarrier`.
    @Test(.enabled(if: canMissTheBarrier)) func withoutMembarrierOwnersAndClaimsMeet() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: UInt32(Patience.seconds))
            lt_replace_membarrier { true }
            let outcome = stripe_stress_run(
                stripe_stress(owners: 1, claimers: 1, rounds: .max, has_yields: false, ends_early: true))
            demand(outcome.meetings > 0 || outcome.lost > 0)
        }
    }

    private static let isUnderThreadSanitizer = dlsym(nil, "__tsan_init") != nil

    /// Demands that snapshots agree with their counts while threads create and release objects.
    private static func demandAgreement(rounds: Int, _ storm: SharedStorm) {
        for round in 0..<rounds {
            let problem = Disagreement.of(LifetimeRegistry.shared.snapshot())
            demand(problem == nil, "snapshot \(round): \(problem ?? "")")
        }
    }

    @Test func plainFormIsInForceUnlessRefused() async {
        await #expect(processExitsWith: .success) {
            demand(StripeForm.inForce == (Self.isUnderThreadSanitizer ? .locked : .plain))
            setenv("LIFETIME_TRACER_LOCKED", "1", 1)
            lt_choose_stripe_form()
            demand(StripeForm.inForce == .locked)
        }
    }

    @Test func lockedFormIsChosenWhereMembarrierIsRefused() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: UInt32(Patience.seconds))
            demand(refuse_membarrier())
            lt_choose_stripe_form()
            demand(StripeForm.inForce == .locked)
            let storm = SharedStorm()
            storm.start(workers: 3)
            Self.demandAgreement(rounds: 500, storm)
            storm.stop()
            demand(LifetimeRegistry.shared.snapshot().live == 0)
        }
    }

    /// A program that installs a seccomp filter after its first births.
    @Test func membarrierMayBeRefusedLater() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: UInt32(Patience.seconds))
            let storm = SharedStorm()
            storm.start(workers: 3)
            Self.demandAgreement(rounds: 100, storm)
            demand(refuse_membarrier())
            Self.demandAgreement(rounds: 500, storm)
            demand(StripeForm.inForce == .locked)
            storm.stop()
            demand(LifetimeRegistry.shared.snapshot().live == 0)
        }
    }

    /// The registration for `membarrier` belongs to the process's memory, of which a child has a copy.
    @Test(.enabled(if: Sanitizer.allowsChildren)) func formStaysInForceInForkChildren() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: UInt32(Patience.seconds))
            let leaf = SharedStorm.Leaf()
            let end = ChildProcess.run {
                let other = SharedStorm.Leaf()
                let live = LifetimeRegistry.shared.snapshot().live
                withExtendedLifetime(other) {}
                return live == 2 && StripeForm.inForce == .plain ? 0 : 1
            }
            demand(end == .code(0), "\(end)")
            withExtendedLifetime(leaf) {}
        }
    }

    /// Enters its own stripe as soon as another thread has claimed it, and notices the claim late.
    private static func enterLate(until stops: Crowd.Stops) {
        guard let stripe = lt_adopt_stripe() else { fatalError("there is no stripe") }
        func isClaimed() -> Bool { stripe.pointee.claim & UInt32(LT_CLAIMED) != 0 }
        while !stops.isWanted {
            // Most of the time, the thread must not wait at the barrier that a fork closes before it claims stripes.
            for _ in 0..<10_000 {
                guard isClaimed() else {
                    sched_yield()
                    continue
                }
                stripe.pointee.inside = 1
                while isClaimed() { sched_yield() }
                stripe.pointee.inside = 0
            }
        }
    }

    /// A thread that enters its stripe during a fork does not exist in the child, and can never leave it there.
    @Test(.enabled(if: !Sanitizer.isPresent))
    func nobodyIsInsideAStripeInForkChildren() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: UInt32(Patience.seconds))
            let leaf = SharedStorm.Leaf()
            let owners = Crowd(2) { _, stops in Self.enterLate(until: stops) }
            for _ in 0..<200 {
                let end = ChildProcess.run {
                    let stripes = sequence(first: lt_first_stripe()) { $0?.pointee.next }
                    return stripes.contains { $0?.pointee.inside == 1 } ? 1 : 0
                }
                demand(end == .code(0), "\(end)")
            }
            owners.end()
            withExtendedLifetime(leaf) {}
        }
    }
    #endif
}
