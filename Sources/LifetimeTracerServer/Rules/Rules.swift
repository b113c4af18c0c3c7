import LifetimeTracer
import RetainPaths

/// The rules of a file: about the types of a registry, and the leaks that someone has accepted.
///
/// `Documentation/rules.schema.json` describes the file.
package struct Rules: Sendable {
    /// The rules about types and groups.
    package let registry: RegistryRules
    /// The known leaks, those of a file that the rules name included.
    package let knownLeaks: KnownLeaks
    /// The path of the file, as it was given; `nil` for rules from a text.
    package let file: String?
}
