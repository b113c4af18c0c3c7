extension CommandSyntax {
    /// Requests an answer and prints its text, or the reason on standard error if there is no answer.
    ///
    /// - Parameter answer: Makes the requests; calls the closure that it receives with each step, in words.
    /// - Returns: The exit code of the answer; `unknown` if there is none.
    func printAnswer(
        _ answer: (_ tell: (String) -> Void) async throws(ClientFailure) -> (text: String, code: ExitCode)
    ) async throws -> ExitCode {
        let result: Result<(text: String, code: ExitCode), ClientFailure>
        do throws(ClientFailure) {
            result = .success(try await answer { StandardStreams.printError("\(call): \($0)") })
        } catch {
            result = .failure(error)
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
