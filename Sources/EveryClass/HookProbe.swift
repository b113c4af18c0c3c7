import CEveryClass
import LifetimeTracer

/// Checks, before the hooks are installed, that the Swift runtime behaves as they expect.
///
/// Creates and destroys objects of each kind with hooks in the tracer's own image, and compares what the hooks have
/// seen with what happened. The layout of metadata is compared with facts that the compiler knows.
enum HookProbe {
    /// The objects that a probe keeps, so that the optimiser can neither remove them nor place them on the stack.
    ///
    /// `nonisolated(unsafe)` is safe because `ClassHooks` lets one thread at a time run the probe.
    nonisolated(unsafe) private static var kept: [AnyObject] = []

    /// Returns the first difference; `nil` if there is none.
    static func findObstacle() -> String? {
        let types = lt_every_class_types(
            managed_buffer: pointer(to: ManagedBuffer<Int, Int>.self), traced_object: pointer(to: TracedObject.self))
        if let reason = lt_every_class_find_runtime(types) { return String(cString: reason) }
        if let difference = layoutDifference() { return difference }
        // Once more after a difference: while another thread calls a function of the runtime for the first time, the
        // loader overwrites the slot of the hook.
        return countDifference() == nil ? nil : countDifference()
    }

    private static func layoutDifference() -> String? {
        let plain = probed(ProbePlain.self)
        let failing = probed(ProbeFailing.self)
        let buffer = probed(ProbeBuffer.self)
        let headerSize: UInt64 = 16
        let expected: [(String, Bool)] = [
            ("the kind of a class", plain.is_class && failing.is_class && buffer.is_class),
            ("the size of an instance", plain.instance_size == headerSize + 17),
            ("the size of a subclass's instance", failing.instance_size == headerSize + 32),
            ("the alignment of an instance", plain.alignment_mask == 15 || plain.alignment_mask == 7),
            ("the superclass", failing.superclass == pointer(to: ProbePlain.self)),
            ("the descriptor of a class", plain.is_of_this_image && failing.is_of_this_image),
            ("the descriptor of a generic class", probed(ProbeGeneric<Int>.self).is_of_this_image),
            ("a class of Swift", !probed(ManagedBuffer<Int, Int>.self).is_of_this_image),
            ("a subclass of ManagedBuffer", buffer.is_buffer && !failing.is_buffer),
        ]
        return expected.first { !$0.1 }.map { "\($0.0) is not where the hooks expect it" }
    }

    private static func countDifference() -> String? {
        count("a class", of: ProbePlain.self, births: 3...3) { for number in 0..<3 { keep(ProbePlain(number)) } }
            ?? count("a generic class", of: ProbeGeneric<String>.self, births: 1...1) { keep(ProbeGeneric("value")) }
            // The optimiser may remove the allocations of the objects whose initializers fail.
            ?? count("an initializer that fails", of: ProbeFailing.self, births: 1...3) {
                for (early, late) in [(true, false), (false, true), (false, false)] {
                    if let object = ProbeFailing(1, failsEarly: early, failsLate: late) { keep(object) }
                }
            }
            ?? count("an actor", of: ProbeActor.self, births: 1...1) { keep(ProbeActor()) }
            ?? count("a buffer", of: ProbeBuffer.self, births: 1...1) {
                keep(ProbeBuffer.create(minimumCapacity: 8) { _ in 1 })
            }
            ?? count("a buffer with a pointer", of: ProbePointerBuffer.self, births: 1...1, haveTails: true) {
                let pointer = ManagedBufferPointer<Int, Int>(
                    bufferClass: ProbePointerBuffer.self, minimumCapacity: 8, makingHeaderWith: { _, _ in 1 })
                keep(pointer.buffer)
            }
    }

    /// Creates objects and releases them; returns a text if the hooks count other numbers.
    private static func count(
        _ kind: String, of type: AnyClass, births: ClosedRange<UInt64>, haveTails: Bool = false, _ create: () -> Void
    ) -> String? {
        let haveTails = haveTails || probed(type).is_buffer
        guard lt_probe_begin(pointer(to: type), haveTails) else {
            return "the tables of the tracer's own image cannot be changed"
        }
        create()
        let isTrailed = haveTails || kept.allSatisfy { lt_probe_has_trailer(address(of: $0)) }
        kept.removeAll()
        let seen = lt_probe_end()
        guard births.contains(seen.births), seen.deaths == seen.births else {
            return
                "of \(births.upperBound) births and deaths of \(kind), the hooks see \(seen.births) and \(seen.deaths)"
        }
        return isTrailed ? nil : "an instance of \(kind) has no trailer"
    }

    @inline(never)
    private static func keep(_ object: AnyObject) {
        kept.append(object)
    }

    private static func probed(_ type: AnyClass) -> lt_probed_class { lt_probe_class(pointer(to: type)) }

    private static func pointer(to type: AnyClass) -> UnsafeRawPointer {
        // Safe: a class's metatype is the address of its metadata.
        unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    private static func address(of object: AnyObject) -> UnsafeRawPointer {
        // Safe: `kept` holds the object while the address is used.
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}
