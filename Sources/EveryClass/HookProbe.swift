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
    nonisolated(unsafe) static var kept: [AnyObject] = []

    /// Returns the first difference; `nil` if there is none.
    static func findObstacle() -> String? {
        if let reason = runtimeObstacle() { return reason }
        if let difference = ProbedLayout().difference { return difference }
        // Once more after a difference: while another thread calls a function of the runtime for the first time, the
        // loader overwrites the slot of the hook.
        return countDifference() == nil ? nil : countDifference()
    }

    /// Finds the functions that the hooks replace; returns the reason why they cannot be replaced.
    ///
    /// - Parameter libraryClass: A class of the standard library.
    static func runtimeObstacle(libraryClass: AnyClass = ManagedBuffer<Int, Int>.self) -> String? {
        let types = lt_every_class_types(
            managed_buffer: metadata(of: libraryClass), traced_object: metadata(of: TracedObject.self))
        return lt_every_class_find_runtime(types).map { String(cString: $0) }
    }

    /// Creates and releases objects of each kind; returns a text if the hooks count other numbers.
    static func countDifference(seenBy hooks: ProbeHooks = .inOwnImage) -> String? {
        hooks.compare("a class", of: ProbePlain.self, births: 3...3) {
            for number in 0..<3 { keep(ProbePlain(number)) }
        }
            ?? hooks.compare("a generic class", of: ProbeGeneric<String>.self, births: 1...1) {
                keep(ProbeGeneric("value"))
            }
            // The optimiser may remove the allocations of the objects whose initializers fail.
            ?? hooks.compare("an initializer that fails", of: ProbeFailing.self, births: 1...3) {
                for (early, late) in [(true, false), (false, true), (false, false)] {
                    if let object = ProbeFailing(1, failsEarly: early, failsLate: late) { keep(object) }
                }
            }
            ?? hooks.compare("an actor", of: ProbeActor.self, births: 1...1) { keep(ProbeActor()) }
            ?? hooks.compare("a buffer", of: ProbeBuffer.self, births: 1...1) {
                keep(ProbeBuffer.create(minimumCapacity: 8) { _ in 1 })
            }
            ?? hooks.compare("a buffer with a pointer", of: ProbePointerBuffer.self, births: 1...1, haveTails: true) {
                let pointer = ManagedBufferPointer<Int, Int>(
                    bufferClass: ProbePointerBuffer.self, minimumCapacity: 8, makingHeaderWith: { _, _ in 1 })
                keep(pointer.buffer)
            }
    }

    @inline(never)
    private static func keep(_ object: AnyObject) {
        kept.append(object)
    }
}
