import Foundation
import LifetimeTracer

@testable import tracer_server

extension APIRequest: LockedState {}

/// A stand-in for a server: answers requests from a table, and records them.
final class CannedServer: APITransport {
    typealias Answers = @Sendable (String) -> APIReply?

    private let answers: Answers
    private let received = Locked<[APIRequest]>([])

    /// - Parameter answers: Returns the answer to a path, or `nil` for none.
    init(_ answers: @escaping Answers) {
        self.answers = answers
    }

    /// The requested paths, in order.
    var requests: [String] { received.withLock { $0.map(\.path) } }
    /// The requests with a body, in order.
    var posts: [APIRequest] { received.withLock { $0.filter { $0.body != nil } } }

    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply {
        received.withLock { $0.append(request) }
        guard let reply = answers(request.path) else { throw .unreachable("nobody answers") }
        return reply
    }
}

/// Answers of a server without leaks, and parts of other answers.
enum Canned {
    static let nothingOverdue = #"{"total":0,"next":null,"overdue":0,"known":0,"late":0,"groups":[]}"#
    static let noTokens = #"{"total":0,"next":null,"tokens":[]}"#

    static func json(_ text: String, status: Int = 200) -> APIReply {
        APIReply(status: status, body: Array(text.utf8))
    }

    static func summary(
        name: String = "app", live: Int = 12, overBudget: Int = 0, brokenInvariants: Int = 0, crowded: Int = 0,
        growing: Int = 0, late: Int = 0
    ) -> String {
        """
        {"version":1,"process":{"pid":7,"name":"\(name)","host":"box"},"instances":{"live":\(live)},"types":2,
         "verdicts":{"overdue":0,"late":\(late),"overBudget":\(overBudget),"orphaned":0,
                     "brokenInvariants":\(brokenInvariants),"crowded":\(crowded),"growing":\(growing)}}
        """
    }

    /// A type with its full name.
    static func type(
        _ type: String, live: Int, budget: Int? = nil, trend: [Int] = [], growing: Bool = false, overdue: Int = 0,
        died: Int = 0, shallowBytes: Int? = nil
    ) -> String {
        let name = type.split(separator: ".").last ?? ""
        return """
            {"type":"\(type)","name":"\(name)","live":\(live),"peak":\(live),"born":\(live + died),"died":\(died),
             "shallowBytes":\(shallowBytes.map(String.init) ?? "null"),"budget":\(budget.map(String.init) ?? "null"),
             "overBudget":\(budget.map { live > $0 } ?? false),"trend":\(trend),"growing":\(growing),
             "verdicts":{"overdue":\(overdue)}}
            """
    }

    static func types(_ types: [String], groups: String = "[]", next: String? = nil, total: Int? = nil) -> String {
        """
        {"total":\(total ?? types.count),"next":\(next.map { "\"\($0)\"" } ?? "null"),"trendStepSeconds":5,
         "groups":\(groups),"types":[\(types.joined(separator: ","))]}
        """
    }

    /// A growing type with its full name, or growing tokens.
    static func growing(_ type: String, event: String? = nil, reason: String, live: Int = 9, known: Bool = false)
        -> String
    {
        """
        {"type":"\(type)","event":\(event.map { "\"\($0)\"" } ?? "null"),"name":"\(event ?? type)","reason":"\(reason)",
         "live":\(live),"known":\(known ? #"{"reason":"it is small"}"# : "null")}
        """
    }

    static func growth(_ growing: [String]) -> String {
        #"{"total":\#(growing.count),"next":null,"growing":[\#(growing.joined(separator: ","))]}"#
    }

    static func answers(
        summary: String = summary(), overdue: String = nothingOverdue, tokens: String = noTokens,
        types: String = types([]), growth: String = growth([])
    ) -> CannedServer.Answers {
        { path in
            switch path.split(separator: "?")[0] {
            case "api/v1/summary": json(summary)
            case "api/v1/overdue": json(overdue)
            case "api/v1/tokens": json(tokens)
            case "api/v1/types": json(types)
            case "api/v1/growth": json(growth)
            default: json("{}", status: 404)
            }
        }
    }
}

extension CheckReport {
    /// The lines of the printed report.
    var lines: [String] { CheckText(self).lines }
}
