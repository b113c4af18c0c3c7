import TracerBase

/// Reads and validates the access token that clients must present to a server.
///
/// The access token comes from the environment: `LIFETIME_TRACER_TOKEN` holds it, or `LIFETIME_TRACER_TOKEN_FILE` names
/// a file whose first line holds it. Servers and client commands both read it here, so that they agree.
package enum AccessToken {
    /// The shortest access token that a server accepts, in characters.
    package static let minimumLength = 16
    /// The longest access token, in bytes, so that it fits into a header field.
    package static let maximumLength = 1024
    /// The variable that holds the access token.
    package static let variable = "LIFETIME_TRACER_TOKEN"
    /// The variable that names the file with the access token.
    package static let fileVariable = "LIFETIME_TRACER_TOKEN_FILE"

    /// Returns the access token of an environment, or `nil` if it has none.
    ///
    /// An empty variable counts as unset. If users other than the owner may read the file, a warning is written. That
    /// is usual for secrets mounted into containers, and dangerous elsewhere.
    ///
    /// - Parameters:
    ///   - environment: Names and values.
    ///   - option: A file named on the command line; it takes precedence over the environment.
    ///   - warn: Receives the warning.
    /// - Throws: ``ServerError`` with the code `invalidAccessToken` if both variables are set, or if the file or its
    ///   contents cannot be used.
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
                .invalidAccessToken, "both \(variable) and \(fileVariable) (\"\(file.printablePrefix)\") are set",
                hint: "set only one of them")
        }
    }

    /// Returns the reason to reject an access token at server start, or `nil` if it is valid.
    static func objection(to accessToken: String?) -> ServerError? {
        guard let accessToken else { return nil }
        if let objection = objection(toCharactersOf: accessToken) { return objection }
        guard accessToken.utf8.count < minimumLength else { return nil }
        return ServerError(
            .invalidAccessToken,
            "the access token has \(accessToken.utf8.count) characters, fewer than the required \(minimumLength)",
            hint: recipe)
    }

    /// How to generate an access token.
    private static let recipe = "generate a token with: openssl rand -hex 16"

    // The messages leave out the access token, because it is a secret.
    static func objection(toCharactersOf accessToken: String) -> ServerError? {
        let length = accessToken.utf8.count
        guard length <= maximumLength else {
            return ServerError(
                .invalidAccessToken, "the access token has more than \(maximumLength) characters", hint: recipe)
        }
        guard length > 0 else {
            return ServerError(.invalidAccessToken, "the access token is empty", hint: recipe)
        }
        guard accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return ServerError(
                .invalidAccessToken,
                "the access token (\(length) bytes) contains spaces, control characters or non-ASCII characters",
                hint: "use printable ASCII characters without spaces, or \(recipe)")
        }
        return nil
    }
}
