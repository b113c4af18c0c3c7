/// Compares entity tags with those that a client has cached.
enum EntityTagMatch {
    /// Returns whether the client has cached the entity with this tag.
    ///
    /// The tag includes its quotes.
    ///
    /// `If-None-Match` contains `*` or a list of tags. Weak tags begin with `W/`. The comparison is weak (RFC 9110,
    /// 13.1.2).
    static func isKnown(_ tag: String, to request: HTTPRequest) -> Bool {
        request.headers.values("If-None-Match").contains { value in
            value.trimmed == "*" || tags(value).contains(tag)
        }
    }

    /// Returns the tags of a list, without `W/`.
    ///
    /// A tag may contain commas, so the list is parsed from quote to quote.
    private static func tags(_ list: String) -> [String] {
        var tags: [String] = []
        var rest = list[...]
        while let start = rest.firstIndex(of: "\"") {
            let inside = rest[rest.index(after: start)...]
            guard let end = inside.firstIndex(of: "\"") else { break }
            tags.append(String(rest[start...end]))
            rest = rest[rest.index(after: end)...]
        }
        return tags
    }
}

extension String {
    fileprivate var trimmed: Substring {
        var text = self[...]
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
