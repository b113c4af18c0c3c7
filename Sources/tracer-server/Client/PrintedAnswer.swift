/// What a command prints, and its exit code.
typealias PrintedAnswer = (text: String, code: ExitCode)

extension CommandSyntax {
    /// Requests an answer and prints its text, or the reason on standard error if there is no answer.
    ///
    /// SIGINT (Control-C) and SIGTERM cancel the request. What has become of a capture is then printed on standard
    /// error.
    ///
    /// - Parameter answer: Makes the requests; calls the closure that it receives with each step, in words.
    /// - Returns: The exit code of the answer; `unknown` if there is none; after a signal, that of the signal.
    func printAnswer(
        _ answer: @escaping @Sendable (_ tell: (String) -> Void) async throws(ClientFailure) -> PrintedAnswer
    ) async throws -> ExitCode {
        // Before the first request, so that no signal ends the program while a capture runs.
        let interruption = Interruption()
        let work = Task { () async -> Result<PrintedAnswer, ClientFailure> in
            do throws(ClientFailure) {
                return .success(try await answer { StandardStreams.printError("\(call): \($0)") })
            } catch {
                return .failure(error)
            }
        }
        interruption.cancel(work)
        let result = await work.value
        if let code = interruption.code {
            if case .failure(let failure) = result { StandardStreams.printError("\(call): \(failure)") }
            return code
        }
        switch result {
        case .success(let answer):
            try StandardStreams.print(answer.text)
            return answer.code
        case .failure(let failure):
            StandardStreams.printError("\(call): \(failure)")
            return .unknown
        }
    }
}

extension CommandSyntax.ExitStatus {
    static let interrupted = Self(
        code: .interrupted, meaning: "Control-C (SIGINT) ended the command, which cancelled its capture.")
    static let terminated = Self(code: .terminated, meaning: "SIGTERM ended the command, which cancelled its capture.")
}

extension Arguments {
    /// Returns how many entries to print, from `--count`: by default the usual number, and with JSON a whole page.
    func entryCount(usually usual: Int, isJSON: Bool) throws(UsageError) -> Int {
        guard let count = try count("--count") else { return isJSON ? TracerAPI.pageLimit : usual }
        guard (1...TracerAPI.pageLimit).contains(count) else {
            throw syntax.error("--count \"\(count)\" is not a number from 1 to \(TracerAPI.pageLimit)")
        }
        return count
    }
}
