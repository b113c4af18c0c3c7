import Foundation
import LifetimeTracer

/// Whom tests register observers for.
final class Owner: TracedObject {}

extension LifetimeRegistry {
    /// What is counted of the tokens of one event.
    func counts(of event: String) -> TokenGroupRecord? {
        snapshot().tokenGroups.first { $0.event == event }
    }

    /// The tokens in force for one event.
    func tokens(of event: String) -> [TokenRecord] {
        snapshot().tokens.filter { $0.event == event }
    }
}
