import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

/// Small responses that are sent again with other bytes.
@Suite struct ReusableResponseTests {
    private let headers: HTTPHeaders = [HTTPHeaders.Field("Content-Type", "text/plain")]

    @Test func aResponseIsUsedAgainOnlyWhenItsSendingHasEnded() throws {
        let responses = ReusableResponses()
        let first = try #require(try responses.take(headers, [1, 2, 3]))
        let second = try #require(try responses.take(headers, [4, 5, 6]))
        #expect(first !== second)
        responses.giveBack(first)
        #expect(try responses.take(headers, [7, 8, 9]) === first)
        #expect(try responses.take(headers, [7, 8, 9]) !== second)
    }

    @Test func onlyAResponseOfTheSameSizeAndFieldsIsUsedAgain() throws {
        let responses = ReusableResponses()
        let first = try #require(try responses.take(headers, [1, 2, 3]))
        responses.giveBack(first)
        #expect(try responses.take(headers, [1, 2]) !== first)
        #expect(try responses.take([HTTPHeaders.Field("Content-Type", "text/html")], [1, 2, 3]) !== first)
        #expect(try responses.take(headers, [3, 2, 1]) === first)
    }

    @Test func responsesAreFewAndSmall() throws {
        let responses = ReusableResponses()
        #expect(try responses.take(headers, []) == nil)
        #expect(try responses.take(headers, Array(repeating: 1, count: LentBytes.least)) == nil)
        let all = try (1...ReusableResponses.limit).map { size in
            try #require(try responses.take(headers, Array(repeating: 1, count: size)))
        }
        #expect(try responses.take(headers, Array(repeating: 1, count: 100)) == nil, "all are in use")
        responses.giveBack(all[5])
        let replaced = try #require(try responses.take(headers, Array(repeating: 1, count: 100)))
        #expect(!all.contains { $0 === replaced })
        responses.giveBack(replaced)
        #expect(try responses.take(headers, Array(repeating: 2, count: 100)) === replaced)
    }
}

extension ServerTests {
    /// Answers of the same size, with the same header fields, on one connection and on several.
    @Suite struct RepeatedAnswerTests {
        @Test func eachClientGetsItsOwnBytesAndStatus() throws {
            let server = try TestServer { request in
                .text(request.target, status: request.target.hasPrefix("/4") ? 404 : 200)
            }
            let clients = [try server.client(), try server.client(), try server.client()]
            for round in 0..<20 {
                let targets = clients.indices.map { "/\(($0 + round) % 2 == 0 ? 4 : 2)\(10 + round)\($0)" }
                for (client, target) in zip(clients, targets) { client.request("GET", target) }
                for (client, target) in zip(clients, targets) {
                    let reply = try client.reply()
                    #expect(reply.text == target)
                    #expect(reply.status == (target.hasPrefix("/4") ? 404 : 200))
                }
            }
        }

        @Test func headBetweenOthersHasNoBody() throws {
            let server = try TestServer { .text($0.target) }
            let client = try server.client()
            for method in ["GET", "HEAD", "GET", "HEAD", "HEAD", "GET"] {
                client.request(method, "/same")
                let reply = try client.reply(to: method)
                #expect(reply.text == (method == "GET" ? "/same" : ""))
                #expect(reply["Content-Length"] == "5")
            }
        }

        @Test func aClientThatLeavesDoesNotKeepItsResponse() throws {
            let server = try TestServer { .text($0.target) }
            for number in 10..<60 {
                let client = try server.client()
                client.request("GET", "/\(number)")
                if number % 2 == 0 { client.disconnect() } else { #expect(try client.reply().text == "/\(number)") }
            }
        }
    }
}
