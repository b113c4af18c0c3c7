import LifetimeTracer
import RetainPaths

/// What a test did not expect, in facts; ``text`` says it in words, the same for both frameworks.
struct Finding: Sendable {
    /// Whether the test fails by it.
    enum Weight: Sendable {
        case failure
        case warning
    }

    /// What was found, in a line.
    var headline: String
    /// What was expected instead, and why.
    var expected: String?
    /// The instances that are meant, oldest first.
    var instances: [InstanceRecord] = []
    /// Instances that the registry had no room to list.
    var unlisted: UInt64 = 0
    /// The tokens that are meant, oldest first.
    var tokens: [TokenRecord] = []
    /// Who holds the instances, if that was asked.
    var holders: HolderSearch.Answer?
    /// What else is worth a line.
    var notes: [String] = []
    var weight = Weight.failure
}
