/// The access token: what clients must show where a server has one.
///
/// It comes from the environment: `LIFETIME_TRACER_TOKEN` holds it, or `LIFETIME_TRACER_TOKEN_FILE` names a file whose first
/// line does. The servers and the client commands read it here, so that they agree.
package enum AccessToken {
    /// The fewest characters with which a server starts.
    package static let minimumLength = 16
    /// The most characters, so that it fits into a header field.
    package static let maximumLength = 1024
    /// The variable that holds the access token.
    package static let variable = "LIFETIME_TRACER_TOKEN"
    /// The variable that names the file with the access token.
    package static let fileVariable = "LIFETIME_TRACER_TOKEN_FILE"

    /// The access token of an environment; `nil` where it has none.
    ///
    /// An empty variable counts as one that is not set. A line on standard error says so where others than the file's owner may
    /// read it, which is usual for secrets that are mounted into containers, and dangerous elsewhere.
    ///
    /// - Parameters:
    ///   - environment: Names and values.
    ///   - option: A file that the command line names; it goes before the environment.
    ///   - warn: What that line goes to.
    /// - Throws: ``ServerError`` with the code `invalidAccessToken` when both variables are set, and when the file or what is in it
    ///   cannot be used.
    package static func read(
        from environment: [String: String], fileOption option: String? = nil,
        warn: (String) -> Void = StandardError.writeLine
    ) throws(ServerError) -> String? {
        if let option { return try AccessTokenFile(path: option).read(warn) }
        let value = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        let file = environment[fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        switch (value, file) {
        case (nil, nil):
            return nil
        case (let value?, nil):
            if let objection = objection(toCharactersOf: value) { throw objection }
            return value
        case (nil, let file?):
            return try AccessTokenFile(path: file).read(warn)
        case (_?, let file?):
            throw ServerError(
                .invalidAccessToken, "both \(variable) and \(fileVariable) (\"\(file.printable)\") are set",
                hint: "set one of them")
        }
    }

    /// Why a server does not start with an access token; `nil` for one that it takes.
    static func objection(to accessToken: String?) -> ServerError? {
        guard let accessToken else { return nil }
        if let objection = objection(toCharactersOf: accessToken) { return objection }
        guard accessToken.utf8.count < minimumLength else { return nil }
        return ServerError(
            .invalidAccessToken,
            "the access token has \(accessToken.utf8.count) characters, and fewer than \(minimumLength) are guessed too easily",
            hint: recipe)
    }

    /// How to make one.
    private static let recipe = "make one with: openssl rand -hex 16"

    // The access token itself is a secret and stays out of the texts.
    static func objection(toCharactersOf accessToken: String) -> ServerError? {
        let length = accessToken.utf8.count
        guard length <= maximumLength else {
            return ServerError(
                .invalidAccessToken, "the access token has more than \(maximumLength) characters", hint: recipe)
        }
        guard length > 0, accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return ServerError(
                .invalidAccessToken,
                "the access token of \(length) bytes is empty or has spaces or other than ASCII characters",
                hint: "use printable ASCII characters without spaces, or \(recipe)")
        }
        return nil
    }
}
