/// Why an instance should be gone.
enum DeadlineCause: Sendable, Hashable {
    /// How a node left its tree.
    enum WayOut: Sendable, Hashable {
        case removedFromParent
        case dismissed
        case parentGone
    }

    /// It left its tree.
    case left(WayOut)
    /// The program said so, in these words.
    case stated(String)

    /// The reason in words: `removed from its parent`.
    var reason: String {
        switch self {
        case .left(.removedFromParent): "removed from its parent"
        case .left(.dismissed): "dismissed"
        case .left(.parentGone): "its parent has gone"
        case .stated(let words): words
        }
    }

    /// A sentence on an instance that is still there: `TextScreen not deallocated after being dismissed`.
    func message(for type: TypeName) -> String {
        switch self {
        case .left(.parentGone): "\(type.name) not deallocated though \(reason)"
        case .left: "\(type.name) not deallocated after being \(reason)"
        case .stated: "\(type.name) not deallocated: \(reason)"
        }
    }
}
