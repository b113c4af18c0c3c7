/// What closures on a path capture.
extension NamedPath {
    /// The object that a closure captures, and the collection or variable around the object.
    func capture(at index: Int) -> String {
        let place =
            switch container(capturedBy: index) {
            case .collection(let name), .constant(let name): ", in \(name == "array" ? "an" : "a") \(name)"
            case .slice: ", outside the bounds of a slice"
            case .variable: ", in a variable"
            case nil: ""
            }
        guard let held = nextShown(after: index) else { return "" }
        switch nodes[held].role {
        case .closure: return "captures a closure\(place)"
        case .task: return "captures a Task\(place)"
        case .block where nodes[held].kind == .task: return "captures a Task\(place)"
        case .block: return "captures \(nodes[held].name)\(place)"
        default: return "captures \(nodes[held].name) strongly\(place)"
        }
    }

    /// What a closure captures in place of the object that it holds.
    enum Container: Hashable {
        case variable
        /// An array, a dictionary or a set in a variable.
        case collection(String)
        /// An array, a dictionary or a set that is the closure's own and never changes.
        case constant(String)
        /// A slice that does not show the object.
        case slice
    }

    /// The collection or variable in which a closure holds the next shown node; `nil` if the closure captures the node
    /// itself.
    func container(capturedBy closure: Int) -> Container? {
        var container: Container?
        _ = nextShown(after: closure) { node in
            switch (node.role, container) {
            case (.storage, _) where node.isOutsideSlice: container = .slice
            case (.storage, .variable): container = .collection(Self.collection(node))
            case (.storage, nil): container = .constant(Self.collection(node))
            case (.box, nil): container = .variable
            default: break
            }
        }
        return container
    }

    private static func collection(_ node: PathNode) -> String {
        if node.name.hasPrefix("Dictionary") { return "dictionary" }
        return node.name.hasPrefix("Set") ? "set" : "array"
    }
}
