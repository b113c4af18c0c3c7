extension Sequence<String> {
    /// The names in words, in order; those behind the twentieth are counted.
    func inWords(orElse none: String) -> String {
        let names = sorted()
        guard !names.isEmpty else { return none }
        let shown = names.prefix(20).map(\.shortened).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }
}

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
        throw RequestError(
            status: 404, code: "unknownName",
            message: "The parameter \"\(parameter)\" is \"\(value.shortened)\", of which nothing has been seen so far.",
            hint: "Seen so far: \(known.inWords(orElse: "nothing")).")
    }
}
