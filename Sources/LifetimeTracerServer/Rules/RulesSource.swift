import LifetimeTracer
import TracerBase

/// The rules that a server puts in force.
package enum RulesSource: Sendable {
    /// No rules but those of the environment.
    case none
    /// Those of a file, which is read at each start of the server.
    case file(String)
    /// Rules that were read already.
    case rules(Rules)

    init(_ file: String?) {
        self = file.map(Self.file) ?? .none
    }

    /// Returns the rules; `nil` if there are none.
    ///
    /// Those that `LIFETIME_TRACER_RULES` has put in force in the shared registry precede those of the code.
    func read(for registry: LifetimeRegistry) throws(ServerError) -> Rules? {
        if registry === LifetimeRegistry.shared, let rules = EnvironmentRules.inForce { return rules }
        switch self {
        case .none: return nil
        case .rules(let rules): return rules
        case .file(let path):
            do throws(RulesError) {
                return try Rules(contentsOf: path)
            } catch {
                throw ServerError(error)
            }
        }
    }

    /// Puts the rules that were read in force, unless the environment has done so.
    func putInForce(_ rules: Rules, in registry: LifetimeRegistry) {
        guard registry !== LifetimeRegistry.shared || EnvironmentRules.inForce == nil else {
            if isLost {
                StandardError.writeLine(
                    "the rules given in code are not in force, because LIFETIME_TRACER_RULES is set; to use them, "
                        + "unset it")
            }
            return
        }
        registry.setRules(rules.registry, file: rules.file)
    }

    /// Whether there are rules that those of the environment, or a lack of them there, replace.
    var isLost: Bool {
        switch self {
        case .none, .rules: false
        case .file(let path): path != EnvironmentRules.inForce?.file
        }
    }
}
