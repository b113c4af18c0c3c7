/// The reason for a deadline.
enum DeadlineCause: Sendable, Hashable {
    /// How a node left its tree.
    enum WayOut: Sendable, Hashable {
        case removedFromParent
        case dismissed
        case parentGone
    }

    /// The instance left its tree.
    case left(WayOut)
    /// The instance has exceeded the maximum age of its type.
    case age(Duration)
    /// The program stated the reason in these words.
    case stated(String)

    /// The human-readable reason: `removed from its parent`.
    var reason: String {
        switch self {
        case .left(.removedFromParent): "removed from its parent"
        case .left(.dismissed): "dismissed"
        case .left(.parentGone): "its parent has gone"
        case .age(let age): "no instance lives longer than \(age.inWords)"
        case .stated(let words): words
        }
    }

    /// A sentence about an instance that is still live: `TextScreen not deallocated after being dismissed`.
    func message(for type: TypeName) -> String {
        switch self {
        case .left(.parentGone): "\(type.name) not deallocated though \(reason)"
        case .left: "\(type.name) not deallocated after being \(reason)"
        case .age(let age): "\(type.name) not deallocated: no \(type.name) lives longer than \(age.inWords)"
        case .stated: "\(type.name) not deallocated: \(reason)"
        }
    }
}
