import Foundation
import TracerBase

/// The question why instances of a type are live.
///
/// One search covers a sample of the instances.
struct TypeQuestion: Sendable {
    let transport: any APITransport
    /// The full name of the type.
    let type: String
    /// The most instances in the sample.
    let sample: Int
    let isFull: Bool
    let timeout: ResultTimeout

    private var api: TracerAPI { TracerAPI(transport: transport) }

    /// Starts a search for a sample and waits for its results: overdue instances first, then the oldest ones.
    ///
    /// Each call starts a new search.
    func ask(telling tell: (String) -> Void) async throws(ClientFailure) -> TypeAnswer {
        let ofType = "api/v1/instances?type=\(TracerAPI.escaped(type))&sort=age"
        let overdue = try await page("\(ofType)&verdict=overdue")
        let oldest = try await page(ofType)
        let overdueIDs = overdue.instances.map(\.id)
        let others = oldest.instances.map(\.id).filter { !overdueIDs.contains($0) }
        let ids = Array((overdueIDs + others).prefix(sample))
        var answer = TypeAnswer(
            type: type, live: oldest.total, overdue: overdue.total, overdueIDs: Set(overdueIDs), asked: ids)
        guard !ids.isEmpty else { return answer }
        try await begin(ids)
        try await collect(into: &answer, by: timeout.clock, telling: tell)
        return answer
    }

    private func page(_ path: String) async throws(ClientFailure) -> WireInstancePage {
        let target = "\(path)&limit=\(sample)"
        return try await transport.get(target).decoded(WireInstancePage.self, of: target)
    }

    /// Starts one search for all instances.
    private func begin(_ ids: [Int]) async throws(ClientFailure) {
        var body = JSONWriter()
        body.object { $0.field("ids", ids) }
        let request = APIRequest.post("api/v1/retain-paths", json: String(decoding: body.bytes, as: UTF8.self))
        _ = try await transport.send(request).decoded(WireStartedSearch.self, of: request.path, status: 202)
    }

    private func collect<C: Clock<Duration>>(
        into answer: inout TypeAnswer, by clock: C, telling tell: (String) -> Void
    ) async throws(ClientFailure) {
        let end = clock.now.advanced(by: timeout.duration)
        var told: String?
        for id in answer.asked {
            let rest = ResultTimeout(duration: max(.zero, clock.now.duration(to: end)), clock: clock)
            let question = WhyQuestion(
                transport: KeepingSearches(transport: transport), instance: id, isFull: isFull, timeout: rest)
            let outcome: WhyQuestion.Outcome
            do throws(ClientFailure) {
                outcome = try await question.ask { phase in
                    if told != phase { tell(phase) }
                    told = phase
                }
            } catch {
                throw error == .tooSlow(rest.duration) ? .tooSlow(timeout.duration) : error
            }
            switch outcome {
            case .found(let found): answer.add(found, of: id)
            case .missing: answer.addMissing()
            }
        }
    }
}

/// A transport that also requests the list of results after each response that reports a pending search.
///
/// That request counts as a poll for all questions. The server drops a question that no client polls for within
/// seconds.
private struct KeepingSearches: APITransport {
    let transport: any APITransport

    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply {
        let reply = try await transport.send(request)
        if reply.status == 202 { _ = try await transport.get("api/v1/retain-paths?limit=1") }
        return reply
    }
}

private struct WireInstancePage: Decodable, Sendable {
    struct Instance: Decodable, Sendable {
        let id: Int
    }

    let total: Int
    let instances: [Instance]
}

private struct WireStartedSearch: Decodable, Sendable {
    let asked: [Int]
}
