extension Sequence<String> {
    /// Returns the sorted names as a list in words: the first twenty, then the number of further names.
    func inWords(orElse none: String) -> String {
        let names = sorted()
        guard !names.isEmpty else { return none }
        let shown = names.prefix(20).map(\.shortened).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }
}

extension RouteRequest {
    /// Returns the value of a parameter that names something, if that name is known.
    ///
    /// An unknown name is refused. Otherwise a typo would return an empty list.
    ///
    /// - Parameter known: All known names; a type, for example, has two.
    func knownName(_ parameter: String, among known: @autoclosure () -> some Sequence<String>) throws(RequestError)
        -> String?
    {
        guard let value = text(parameter) else { return nil }
        let known = Set(known())
        guard !known.contains(value) else { return value }
        throw RequestError(
            status: 404, code: "unknownName",
            message: "The parameter \"\(parameter)\" has the unknown value \"\(value.shortened)\".",
            hint: "Known values: \(known.inWords(orElse: "none so far")).")
    }
}
