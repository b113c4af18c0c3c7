import LifetimeTracer
import TracerBase

/// The rules that `LIFETIME_TRACER_RULES` names, for the shared registry.
///
/// They are read before `main`, so that no object of the program is created before they are in force. Without a server
/// they are in force, too.
package enum EnvironmentRules {
    static let variable = "LIFETIME_TRACER_RULES"

    private struct State: LockedState {
        let rules: Rules
    }

    private static let state = Locked<State?>(nil)

    /// The rules; `nil` if the variable names none, or they are invalid.
    package static var inForce: Rules? { state.withLock { $0?.rules } }

    /// Reads a file and puts its rules in force.
    ///
    /// Blocks the calling thread while the file is read.
    ///
    /// - Returns: A line for the user if the rules are not in force.
    static func read(_ path: String) -> String? {
        do throws(RulesError) {
            let rules = try Rules(contentsOf: path)
            LifetimeRegistry.shared.setRules(rules.registry, file: rules.file)
            state.withLock { $0 = State(rules: rules) }
            return nil
        } catch {
            return "rules not in force, because \(variable) is \"\(path.printablePrefix)\": \(error)"
        }
    }

    /// Reads the file that the variable names, and says on standard error if that fails.
    static func readBeforeMain(_ path: String) {
        if let line = read(path) { StandardError.writeLine(line) }
    }
}
