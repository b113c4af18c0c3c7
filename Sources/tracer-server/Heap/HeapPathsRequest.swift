import TracerBase

/// A request for what holds the objects of a type, and the wait for the result.
struct HeapPathsRequest: Sendable {
    let transport: any APITransport
    let options: HeapOptions

    /// The time between two polls.
    private static let pace = Duration.milliseconds(100)

    /// Returns the text to print.
    ///
    /// - Parameters:
    ///   - type: The name or the type of a line.
    ///   - id: The number of the capture.
    ///   - tell: Called with each step of the search, in words.
    func text(
        _ type: String, in id: Int, of process: WireSummary.Process, telling tell: (String) -> Void
    ) async throws(ClientFailure) -> String {
        let sample = options.sample.map { "&sample=\($0)" } ?? ""
        let path =
            "api/v1/heaps/\(id)/paths?type=\(TracerAPI.escaped(type))\(sample)&limit=\(options.count)"
        let wait = ResultWait(transport: transport, timeout: options.timeout, pace: Self.pace)
        let (reply, _) = try await wait.answer(to: { _ in path }, step: WireStartedPaths.step, telling: tell)
        if let message = reply.message(ofErrorWithCode: "unknownType") {
            throw .unusable("\(message) \(try await suggestion(for: type, in: id))".printable)
        }
        let page = try reply.decoded(WireHeapPaths.self, of: path)
        if options.isJSON { return String(decoding: reply.body, as: UTF8.self).printableJSON }
        var lines = [HeapListing.place(page.heap, process), page.headline.printable]
        for group in page.groups {
            lines += [""] + group.text.split(separator: "\n").map { String($0).printable }
        }
        let more = page.total - page.groups.count
        if more > 0 { lines += ["", "and \(more.grouped) more entr\(more == 1 ? "y" : "ies")"] }
        return lines.joined(separator: "\n")
    }

    /// The most names that are suggested.
    private static let suggestionLimit = 5

    /// Returns the names that contain a name for which no search is possible, or how to find a name.
    private func suggestion(for type: String, in id: Int) async throws(ClientFailure) -> String {
        let path = "api/v1/heaps/\(id)?filter=\(TracerAPI.escaped(type))&sort=count&limit=\(TracerAPI.pageLimit)"
        let lines = try await transport.get(path).decoded(WireHeapNames.self, of: path).types
        let names = lines.filter { $0.paths }.prefix(Self.suggestionLimit).map { "\"\($0.name)\"" }
        return names.isEmpty
            ? "tracer-server heap lists the names, and --filter TEXT finds those that contain a text"
            : "Names that contain it: \(names.joined(separator: ", "))"
    }
}

private struct WireStartedPaths: Decodable, Sendable {
    static func step(in reply: APIReply, at path: String) throws(ClientFailure) -> String {
        let progress = try reply.decoded(Self.self, of: path, status: 202).job.progress
        return CopyStep.words(for: progress) ?? "starting the search for paths"
    }

    struct Job: Decodable, Sendable {
        let progress: String?
    }

    let job: Job
}

/// A page of what holds the objects of a type, as far as the command reads it.
private struct WireHeapPaths: Decodable, Sendable {
    struct Group: Decodable, Sendable {
        let text: String
    }

    let heap: WireHeap
    let headline: String
    let total: Int
    let groups: [Group]
}

/// The names of lines of a capture.
private struct WireHeapNames: Decodable, Sendable {
    struct Line: Decodable, Sendable {
        let name: String
        /// Whether the objects can be searched for.
        let paths: Bool
    }

    let types: [Line]
}
