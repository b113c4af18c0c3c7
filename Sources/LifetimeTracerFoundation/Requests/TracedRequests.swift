public import Foundation
public import LifetimeTracer

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Starts a data task and records it as a token of kind ``TokenKind/request`` while it is in flight.
    ///
    /// The token is removed when the task completes, just before the handler is called, or is cancelled. Removing the token
    /// cancels the task: keep it in the owner's ``CancellationBag`` and the request goes with its owner. The request goes on
    /// when the token is not kept, and so does what the handler captures.
    ///
    /// - Parameters:
    ///   - request: What to request.
    ///   - event: The name under which it is counted; by default method, host and path, without the query, where secrets
    ///     live.
    ///   - owner: For whom; only its id is kept.
    ///   - registry: Where to record it; by default the owner's registry, else ``LifetimeRegistry/current``.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    ///   - completionHandler: Called once, on the session's delegate queue: with an error also when it was cancelled, which
    ///     does not count as a delivery.
    /// - Returns: The token of the request in flight.
    @discardableResult
    public func startDataTask(
        with request: URLRequest, event: String? = nil, owner: TokenOwner = .nobody,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: UInt32 = #line,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> ObserverToken {
        let flight = Flight()
        let token = ObserverToken(
            .request, event: event ?? request.eventName, owner: owner, registry: registry, file: file, line: line
        ) {
            flight.cancel()
        }
        // Holds the token on purpose, until the task has called it: the request is in force whoever else keeps the token.
        let task = dataTask(with: request) { data, response, error in
            flight.end()
            if token.isInForce { token.recordDelivery() }
            token.remove()
            completionHandler(data, response, error)
        }
        flight.begin(task)
        return token
    }

    /// Requests data and records that as a token of kind ``TokenKind/request`` while it is in flight.
    ///
    /// Cancelling the calling task cancels the request.
    ///
    /// - Parameters:
    ///   - request: What to request.
    ///   - event: The name under which it is counted; by default method, host and path.
    ///   - owner: For whom; only its id is kept.
    ///   - registry: Where to record it; by default the owner's registry, else ``LifetimeRegistry/current``.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    /// - Throws: What the session reports; `URLError.cancelled` when it was cancelled.
    public func tracedData(
        for request: URLRequest, event: String? = nil, owner: TokenOwner = .nobody,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: UInt32 = #line
    ) async throws -> (Data, URLResponse) {
        let inFlight = Locked<ObserverToken?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let token = startDataTask(
                    with: request, event: event, owner: owner, registry: registry, file: file, line: line
                ) { data, response, error in
                    if let data, let response {
                        continuation.resume(returning: (data, response))
                    } else {
                        continuation.resume(throwing: error ?? URLError(.badServerResponse))
                    }
                }
                inFlight.withLock { $0 = token }
                // A cancellation that came before the line above found nothing to cancel.
                if Task.isCancelled { token.remove() }
            }
        } onCancel: {
            inFlight.withLock { $0 }?.remove()
        }
    }
}

extension URLRequest {
    /// Method, host and path: `GET api.example.com/search`.
    fileprivate var eventName: String {
        let port = url?.port.map { ":\($0)" } ?? ""
        return "\(httpMethod ?? "GET") \(url?.host ?? "")\(port)\(url?.path ?? "")"
    }
}
