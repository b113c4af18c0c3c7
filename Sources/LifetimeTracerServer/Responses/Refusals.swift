import LifetimeTracer
import LifetimeTracerDashboard

/// The responses that the server gives itself, before or instead of the handler's.
enum Refusals {
    static func bodyTooLarge(limit: Int) -> HTTPResponse {
        .error(
            status: 413, code: "bodyTooLarge",
            message: "The body is larger than \(limit) bytes.",
            hint: "Send at most \(limit) bytes.")
    }

    static func targetTooLong(_ length: Int, limit: Int) -> HTTPResponse {
        .error(
            status: 414, code: "targetTooLong",
            message: "The target has \(length) bytes, and at most \(limit) are read.",
            hint: "Shorten the query.")
    }

    static func headersTooLarge(_ size: Int, limit: Int) -> HTTPResponse {
        .error(
            status: 431, code: "headersTooLarge",
            message: "The header fields have \(size) bytes together, and at most \(limit) are read.",
            hint: "Send fewer or shorter fields; in a browser, delete the cookies of this address.")
    }

    static func tooManyStreams(limit: Int) -> HTTPResponse {
        .error(
            status: 503, code: "tooManyStreams",
            message: "All \(limit) streams are in use.",
            hint: "Close a page that shows live data, or try again later.",
            headers: retryLater)
    }

    static func tooManyConnections(limit: Int) -> HTTPResponse {
        .error(
            status: 503, code: "tooManyConnections",
            message: "All \(limit) connections, or those of your address, are in use.",
            hint: "Close some, or try again later.",
            headers: retryLater)
    }

    static func memoryShortage() -> HTTPResponse {
        .error(
            status: 503, code: "memoryShortage",
            message: "The program has less than \(ProcessLimits.reserve >> 20) MB of memory left.",
            hint: "Raise its limit (ulimit -v and -d, LimitAS= and LimitDATA= of systemd), or try again later.",
            headers: retryLater)
    }

    static func stopping() -> HTTPResponse {
        .error(
            status: 503, code: "stopping", message: "The server is being stopped.", hint: "Start it again.",
            headers: retryLater)
    }

    static func unsendable() -> HTTPResponse {
        .error(
            status: 500, code: "internalError",
            message: "The answer to this request cannot be sent.",
            hint: "See the standard error output of the traced program.")
    }

    /// The delay in seconds.
    private static let retryLater: HTTPHeaders = [HTTPHeaders.Field("Retry-After", "5")]
}
