import Foundation
import LifetimeTracer
import LifetimeTracerFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that are answered within the process, without a network.
final class Requests: Rounds {
    static let name = "request token: requests made and answered"
    static let count = RoundCount.fewer(30_000, because: "300,000 requests take URLSession over a minute")

    static let libraryCaches = dispatchCaches / 4

    private let session: URLSession
    private let request: URLRequest

    init() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [AnswerWithoutNetwork.self]
        session = URLSession(configuration: configuration)
        guard let url = URL(string: "http://volume.test/") else { throw RoundFailure("no URL") }
        request = URLRequest(url: url)
    }

    func run(_ rounds: Int) throws {
        let answers = Tally()
        let isAnswered = DispatchSemaphore(value: 0)
        for _ in 0..<rounds {
            let token = session.startDataTask(with: request) { data, _, _ in
                if data?.count == 5 { answers.add() }
                isAnswered.signal()
            }
            isAnswered.wait()
            try require(!token.isInForce, "the token of a request that is over is in force")
        }
        try require(answers.count == rounds, "\(answers.count) answers to \(rounds) requests")
    }

    deinit {
        session.invalidateAndCancel()
    }
}

private final class AnswerWithoutNetwork: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("hello".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
