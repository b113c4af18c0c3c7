/// What users of the commands can do about an error of the server.
///
/// The hint in the server's response is for users of the API: it names requests.
enum CommandRemedy {
    /// Returns the remedy for an error with a given code.
    ///
    /// - Parameter hint: The server's hint, which is returned for a code whose hint suits users of the commands, too.
    /// - Returns: `nil` if the message says all.
    static func remedy(for code: String, hint: String) -> String? {
        switch code {
        case "captureRunning": "Retry when that capture has ended. A page or another command has started it."
        case "captureCancelled", "captureFailed": "Run the command again for a new capture."
        case "captureDropped", "unknownCapture":
            "The first line of each table of tracer-server heap names the number of its capture."
        case "searchFailed": "Run the command again."
        case "notAvailable": nil
        default: hint
        }
    }
}
