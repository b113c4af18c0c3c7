/// The hint for a session, which keeps its delegate until the program invalidates the session.
extension HintFinder {
    /// The hint for a session, which keeps its delegate until the program invalidates the session.
    var sessionDelegate: RetainHint? {
        guard let session = path.nodes.indices.first(where: isSessionWithDelegate), path.isCertain(from: session) else {
            return nil
        }
        // A closure that the delegate holds is another leak.
        if let suspect = path.suspect, path.nodes[suspect].role == .closure { return nil }
        let delegate = path.nextShown(after: session).map { path.nodes[$0].name } ?? gone
        let remedy =
            "Invalidate the session with finishTasksAndInvalidate() or invalidateAndCancel() "
            + "when \(gone) is no longer needed."
        return RetainHint(
            pattern: .sessionDelegate,
            text: "A URLSession retains its delegate, \(delegate), until the session is invalidated. \(remedy)")
    }

    func isSessionWithDelegate(_ index: Int) -> Bool {
        guard Self.isSession(path.nodes[index]), let next = path.nextShown(after: index) else { return false }
        return path.nodes[next].role == .object && !path.isOfLibrary(next)
    }

    /// Whether a node is a session that holds its delegate.
    static func isSession(_ node: PathNode) -> Bool {
        ["Foundation.URLSession", "FoundationNetworking.URLSession"].contains(node.type)
            && node.members.split(separator: ".").first.map { ["delegate", "_delegate"].contains($0) } ?? false
    }
}
