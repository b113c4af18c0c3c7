import CTracerMicroHTTPD
import LifetimeTracerDashboard

/// Small responses that are sent again with other bytes.
///
/// libmicrohttpd copies each header field of a new response, which for a small response takes longer than its body.
/// Monitors and the page request the same again and again. A response whose sending has ended is therefore used for the
/// next body of the same size with the same header fields.
///
/// `@unchecked Sendable` is safe because the daemon's thread alone calls the functions.
final class ReusableResponses: @unchecked Sendable {
    /// A response of one size, with memory for its body.
    final class Response {
        /// Whether libmicrohttpd may still read the body.
        fileprivate(set) var isInUse = false
        /// The response in libmicrohttpd's form.
        var raw: OpaquePointer { prepared.raw }

        private let fields: [HTTPHeaders.Field]
        // Read by libmicrohttpd until the response is destroyed, which is before the memory is freed: the last use of a
        // response has ended when it is removed.
        private let body: UnsafeMutableBufferPointer<UInt8>
        private let prepared: PreparedResponse

        fileprivate init(_ headers: HTTPHeaders, size: Int) throws(PreparedResponse.Unsendable) {
            fields = headers.fields
            let body = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
            body.initialize(repeating: 0)
            self.body = body
            do throws(PreparedResponse.Unsendable) {
                prepared = try .make(headers, lending: UnsafeRawBufferPointer(body))
            } catch {
                body.deallocate()
                throw error
            }
        }

        deinit {
            body.deallocate()
        }

        fileprivate func fits(_ headers: HTTPHeaders, size: Int) -> Bool {
            !isInUse && body.count == size && fields == headers.fields
        }

        fileprivate func use(for bytes: [UInt8]) {
            isInUse = true
            _ = body.update(fromContentsOf: bytes)
        }
    }

    /// The most responses that are kept.
    static let limit = 16

    private var responses: [Response] = []
    private var next = 0

    /// Returns a response with a body, which is in use until ``giveBack(_:)``; `nil` if it is not worthwhile.
    ///
    /// - Throws: ``PreparedResponse/Unsendable`` if a header field cannot be sent.
    func take(_ headers: HTTPHeaders, _ bytes: [UInt8]) throws(PreparedResponse.Unsendable) -> Response? {
        guard !bytes.isEmpty, bytes.count < LentBytes.least else { return nil }
        if let found = responses.first(where: { $0.fits(headers, size: bytes.count) }) {
            found.use(for: bytes)
            return found
        }
        guard let place = placeForNew() else { return nil }
        let made = try Response(headers, size: bytes.count)
        if place == responses.count { responses.append(made) } else { responses[place] = made }
        made.use(for: bytes)
        return made
    }

    /// Records that libmicrohttpd no longer reads the body of a response, or never will.
    func giveBack(_ response: Response) {
        response.isInUse = false
    }

    /// Returns where to put a new response: behind the others, or in the place of one that is not in use.
    private func placeForNew() -> Int? {
        guard responses.count == Self.limit else { return responses.count }
        for _ in responses {
            next = (next + 1) % Self.limit
            if !responses[next].isInUse { return next }
        }
        return nil
    }
}
