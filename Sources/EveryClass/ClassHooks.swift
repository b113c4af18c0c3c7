import CEveryClass
import LifetimeTracer

/// Traces the instances of all classes of a program that was not prepared.
///
/// `CEveryClass` replaces the functions by which the program allocates and frees instances of classes. Their births and
/// deaths are recorded in the shared registry. An object carries its handle in a trailer of 16 bytes behind its fields.
package enum ClassHooks {
    /// Installs the hooks, unless the probe finds something unexpected.
    ///
    /// Must be called before the program's own code runs, and before other threads create objects.
    ///
    /// - Returns: The reason why the hooks are not installed.
    @discardableResult
    package static func install() -> String? {
        let obstacle = HookProbe.findObstacle() ?? installed()
        if let obstacle {
            ClassTracing.setSource { ClassTracing(obstacle: obstacle) }
        } else {
            ClassTracing.setSource(report)
        }
        return obstacle
    }

    /// Reports that the hooks are not wanted.
    package static func leaveOff() {
        ClassTracing.setSource { ClassTracing(obstacle: "the program was started without them") }
    }

    private static func installed() -> String? {
        // Created now, because a birth may happen where the program holds a lock.
        _ = LifetimeRegistry.shared
        // The cast is safe because the hooks pass the metadata of a class, whose address is its metatype.
        let functions = lt_every_class_functions(
            complete_birth: { EveryClassBirths.complete(unsafeBitCast($0, to: AnyClass.self)) },
            complete_death: { EveryClassBirths.completeDeath($0) },
            is_left_out: { EveryClassBirths.isLeftOut(unsafeBitCast($0, to: AnyClass.self)) },
            site: EveryClassBirths.siteKey)
        return lt_every_class_install(functions).map { String(cString: $0) }
    }

    private static func report() -> ClassTracing {
        lt_every_class_look_again()
        let numbers = lt_every_class_count()
        var report = ClassTracing()
        report.images = Int(numbers.images)
        report.refusedImages = Int(numbers.refused_images)
        report.classes = Int(numbers.classes)
        report.untracedClasses = Int(numbers.untraced_classes)
        report.stackInstances = Int(numbers.stack_instances)
        report.unknownDeaths = Int(numbers.unknown_deaths)
        return report
    }
}
