extension RouteRequest {
    /// The value of a parameter that names something, if that has ever been seen.
    ///
    /// A name that nothing has is refused, so that a typo never looks like an empty list.
    ///
    /// - Parameter known: All names that there are; one thing may have several.
    func knownName(_ parameter: String, among known: some Sequence<String>) throws(RequestError) -> String? {
        guard let value = text(parameter) else { return nil }
        let known = Set(known)
        guard !known.contains(value) else { return value }
        let shown = known.sorted().prefix(20).map(\.shortened)
        var seen = shown.isEmpty ? "nothing" : shown.joined(separator: ", ")
        if known.count > shown.count { seen += " and \(known.count - shown.count) more" }
        throw RequestError(
            status: 400, code: "invalidParameter",
            message: "The parameter \"\(parameter)\" is \"\(value.shortened)\", of which nothing has been seen so far.",
            hint: "Seen so far: \(seen).")
    }
}
