import CEveryClass
import Foundation
import Testing

@testable import EveryClass

/// The probe in this process, and what it says of a Swift runtime that differs from the one that the hooks expect.
///
/// Serialized, because the probe runs on one thread at a time.
@Suite(.serialized) struct HookProbeTests {
    @Test func probeFindsNoObstacleInThisProcess() {
        #expect(HookProbe.findObstacle() == nil)
    }

    /// Each of the facts, changed alone.
    @Test(arguments: [
        ("the kind of a class", changed { $0.plain.is_class = false }),
        ("the kind of a class", changed { $0.failing.is_class = false }),
        ("the kind of a class", changed { $0.buffer.is_class = false }),
        ("the size of an instance", changed { $0.plain.instance_size += 8 }),
        ("the size of a subclass's instance", changed { $0.failing.instance_size -= 8 }),
        ("the alignment of an instance", changed { $0.plain.alignment_mask = 0 }),
        ("the superclass", changed { $0.failing.superclass = nil }),
        ("the descriptor of a class", changed { $0.plain.is_of_this_image = false }),
        ("the descriptor of a class", changed { $0.failing.is_of_this_image = false }),
        ("the descriptor of a generic class", changed { $0.generic.is_of_this_image = false }),
        ("a class of Swift", changed { $0.foreign.is_of_this_image = true }),
        ("a subclass of ManagedBuffer", changed { $0.buffer.is_buffer = false }),
        ("a subclass of ManagedBuffer", changed { $0.failing.is_buffer = true }),
    ])
    func changedLayoutIsNamed(_ fact: String, _ change: LayoutChange) {
        #expect(HookProbe.runtimeObstacle() == nil)
        var layout = ProbedLayout()
        #expect(layout.difference == nil)
        change.apply(&layout)
        #expect(layout.difference == "\(fact) is not where the hooks expect it")
    }

    struct LayoutChange: Sendable {
        let apply: @Sendable (inout ProbedLayout) -> Void
    }

    private static func changed(_ apply: @escaping @Sendable (inout ProbedLayout) -> Void) -> LayoutChange {
        LayoutChange(apply: apply)
    }

    /// What a class is read as if metadata of other kinds lies where the hooks expect that of a class.
    @Test func metadataOfAStructIsNoClass() {
        // Safe: a struct's metatype is the address of its metadata, which is longer than the word that is read.
        let metadata = unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self)
        #expect(!lt_probe_class(metadata).is_class)
    }

    @Test func birthsThatTheHooksDoNotSeeAreAnObstacle() {
        let hooks = ProbeHooks(install: { _, _ in true }, remove: { lt_probe() })
        #expect(
            HookProbe.countDifference(seenBy: hooks)
                == "of 3 births and deaths of a class, the hooks see 0 and 0")
    }

    @Test func deathsThatTheHooksDoNotSeeAreAnObstacle() {
        let hooks = ProbeHooks(
            install: lt_probe_begin,
            remove: {
                var seen = lt_probe_end()
                seen.deaths -= 1
                return seen
            })
        #expect(HookProbe.runtimeObstacle() == nil)
        #expect(
            HookProbe.countDifference(seenBy: hooks)
                == "of 3 births and deaths of a class, the hooks see 3 and 2")
    }

    /// Counts as expected, but the hooks were not installed.
    @Test func missingTrailerIsAnObstacle() {
        let hooks = ProbeHooks(
            install: { _, _ in true },
            remove: { lt_probe(metatype: nil, births: 3, deaths: 3, stack_instances: 0, size: 0) })
        #expect(HookProbe.countDifference(seenBy: hooks) == "an instance of a class has no trailer")
    }

    @Test func tablesThatCannotBeChangedAreAnObstacle() {
        let hooks = ProbeHooks(install: { _, _ in false }, remove: { lt_probe() })
        #expect(HookProbe.countDifference(seenBy: hooks) == "the tables of the tracer's own image cannot be changed")
    }

    /// The standard library is where its class is; the functions that the hooks replace must be there, too.
    @Test func runtimeOutsideOfTheStandardLibraryIsAnObstacle() {
        defer { #expect(HookProbe.runtimeObstacle() == nil, "the classes are known again") }
        #expect(
            HookProbe.runtimeObstacle(libraryClass: JSONDecoder.self)
                == "another library has replaced swift_allocObject")
        let obstacle = HookProbe.runtimeObstacle(libraryClass: ProbePlain.self)
        #expect(obstacle?.hasPrefix("the program has a static Swift standard library and calls it directly") == true)
    }
}
