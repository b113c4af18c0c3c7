import Foundation
import LifetimeTracer

/// The owner of the tests' observers.
final class Owner: TracedObject {}

extension LifetimeRegistry {
    /// The counts of the tokens of one event.
    func counts(of event: String) -> TokenGroupRecord? {
        snapshot().tokenGroups.first { $0.event == event }
    }

    /// The tokens in force for one event.
    func tokens(of event: String) -> [TokenRecord] {
        snapshot().tokens.filter { $0.event == event }
    }
}
