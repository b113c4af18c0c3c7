extension NamedPath {
    /// Whether a closure frees the bytes of a `Data`.
    ///
    /// The bytes often belong to what the closure captures, so the reference to give up is the `Data`.
    func isDeallocator(_ closure: Int) -> Bool {
        guard nodes[closure].role == .closure, closure > 0 else { return false }
        let holder = nodes[lastShown(upTo: closure - 1)]
        return holder.bareType == "__DataStorage" && holder.members.hasSuffix("._deallocator")
    }
}

extension HintFinder {
    /// The hint for a closure behind the suspect that frees the bytes of a `Data`; `nil` if there is none.
    func deallocator(behind suspect: Int) -> RetainHint? {
        let end = path.firstGone
        guard suspect < end, let closure = (suspect..<end).last(where: path.isDeallocator) else { return nil }
        return RetainHint(
            pattern: .hubCapture,
            text: "\(keeping(path.lastShown(upTo: closure - 1))) a Data with a deallocator, \(name(closure)), which "
                + "\(capture(closure)). Give up the Data when \(gone) is no longer needed.")
    }
}
