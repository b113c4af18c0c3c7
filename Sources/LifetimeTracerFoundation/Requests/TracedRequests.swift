public import Foundation
public import LifetimeTracer

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Starts a data task and records it as a token of kind `TokenKind.request` while it is in flight.
    ///
    /// The token is removed when the task is cancelled, or when it completes, just before the handler is called.
    /// Removing the token cancels the task, and so does the release of its last reference. Put the token into the
    /// owner's `RegistrationBag` to cancel the request with its owner, or call `ObserverToken.keep()` to let it
    /// complete. The session retains the handler and its captures until the task ends.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - event: The name under which the request is counted; by default method, host and path, without the query,
    ///     which may contain secrets.
    ///   - owner: The owner of the request, often `self`; only its id is kept.
    ///   - registry: The registry that records the request; by default the owner's registry, or else
    ///     `LifetimeRegistry.current`.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - completionHandler: Called once, on the session's delegate queue. A cancelled request completes with an
    ///     error, which does not count as a delivery.
    /// - Returns: The token of the request in flight.
    public func startDataTask(
        with request: URLRequest, event: String? = nil, owner: (any Traced)? = nil,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: Int = #line,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> ObserverToken {
        let flight = Flight()
        let token = ObserverToken(
            .request, event: event ?? request.eventName, owner: owner, registry: registry, file: file, line: line
        ) {
            flight.cancel()
        }
        // A weak capture, so that a released token cancels the task.
        let task = dataTask(with: request) { [weak token] data, response, error in
            flight.end()
            if let token, token.isInForce { token.recordDelivery() }
            token?.remove()
            completionHandler(data, response, error)
        }
        flight.begin(task)
        return token
    }

    /// Requests data, and records the request as a token of kind `TokenKind.request` while it is in flight.
    ///
    /// Cancelling the calling task cancels the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - event: The name under which the request is counted; by default method, host and path.
    ///   - owner: The owner of the request, often `self`; only its id is kept.
    ///   - registry: The registry that records the request; by default the owner's registry, or else
    ///     `LifetimeRegistry.current`.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    /// - Throws: The session's error; `URLError.cancelled` if the request was cancelled.
    public func tracedData(
        for request: URLRequest, event: String? = nil, owner: (any Traced)? = nil,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: Int = #line
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
                // A cancellation before the previous statement found no token to remove.
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
