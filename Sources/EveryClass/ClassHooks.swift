import CEveryClass
import LifetimeTracer

/// Traces the instances of all classes of a program that was not prepared.
///
/// `CEveryClass` replaces the functions by which the program allocates and frees instances of classes. Their births and
/// deaths are recorded in the shared registry. An object carries its handle in a trailer of 8 bytes behind its fields.
package enum ClassHooks {
    /// Whose code the image with the hooks contains.
    package enum Place: Sendable {
        /// The tracer's alone, which stays as it is.
        case agent
        /// The program's, too.
        case program
    }

    private enum State: LockedState {
        case notInstalled
        case installed
        case refused(String)
    }

    private static let state = Locked(State.notInstalled)

    /// Installs the hooks, unless the probe finds something unexpected.
    ///
    /// A second call changes nothing. Other threads may run meanwhile; their objects are traced from some moment on.
    /// The lock is held until the end, so that no fork child inherits a part of the hooks.
    ///
    /// - Returns: The reason why the hooks are not installed.
    @discardableResult
    package static func install(in place: Place) -> String? {
        // Created before the lock is taken, and not by a birth, which may happen where the program holds a lock.
        _ = LifetimeRegistry.shared
        return state.withLock { state in
            switch state {
            case .installed: return nil
            case .refused(let obstacle): return obstacle
            case .notInstalled: break
            }
            let obstacle = HookProbe.findObstacle() ?? installed(in: place)
            if let obstacle {
                state = .refused(obstacle)
                ClassTracing.setSource { ClassTracing(obstacle: obstacle) }
            } else {
                state = .installed
                ClassTracing.setSource(report)
                // Code in C may load a library with dlopen without a call that the hooks notice.
                _ = LifetimeRegistry.shared.observeSamples { lt_every_class_look_again() }
            }
            return obstacle
        }
    }

    /// Reports that the hooks are not wanted.
    package static func leaveOff() {
        ClassTracing.setSource { ClassTracing(obstacle: "the program was started without them") }
    }

    private static func installed(in place: Place) -> String? {
        // The cast is safe because the hooks pass the metadata of a class, whose address is its metatype.
        let functions = lt_every_class_functions(
            complete_birth: { EveryClassBirths.complete(unsafeBitCast($0, to: AnyClass.self)) },
            complete_death: { EveryClassBirths.completeDeath($0) },
            is_left_out: { EveryClassBirths.isLeftOut(unsafeBitCast($0, to: AnyClass.self)) },
            site: EveryClassBirths.siteKey,
            is_of_program: place == .program)
        return lt_every_class_install(functions).map { String(cString: $0) }
    }

    private static func report() -> ClassTracing {
        lt_every_class_look_again()
        let numbers = lt_every_class_count()
        var report = ClassTracing()
        // A program in C may load a library in Swift later.
        if numbers.images == 0, numbers.classes == 0 {
            report.obstacle = "the program has loaded no code of Swift that allocates objects"
        }
        report.images = Int(numbers.images)
        report.refusedImages = Int(numbers.refused_images)
        report.classes = Int(numbers.classes)
        report.stackInstances = Int(numbers.stack_instances)
        report.unknownDeaths = Int(numbers.unknown_deaths)
        return report
    }
}
