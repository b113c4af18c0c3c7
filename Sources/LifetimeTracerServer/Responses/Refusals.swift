import LifetimeTracer
import LifetimeTracerDashboard
import TracerBase

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
            message: "The request target has \(length) bytes; the limit is \(limit).",
            hint: "Shorten the query.")
    }

    static func headersTooLarge(_ size: Int, limit: Int) -> HTTPResponse {
        .error(
            status: 431, code: "headersTooLarge",
            message: "The header fields have \(size) bytes in total; the limit is \(limit).",
            hint: "Send fewer or shorter header fields; in a browser, delete the cookies of this address.")
    }

    static func tooManyStreams(limit: Int) -> HTTPResponse {
        .error(
            status: 503, code: "tooManyStreams",
            message: "All \(limit) streams are in use.",
            hint: "Close a page that shows live data, or retry later.",
            headers: retryLater)
    }

    static func tooManyConnections(limit: Int) -> HTTPResponse {
        .error(
            status: 503, code: "tooManyConnections",
            message: "All \(limit) connections, or all connections of your address, are in use.",
            hint: "Close some connections, or retry later.",
            headers: retryLater)
    }

    static func memoryShortage() -> HTTPResponse {
        .error(
            status: 503, code: "memoryShortage",
            message: "The program has less than \(ProcessLimits.reserve >> 20) MB of memory left.",
            hint: "Raise the memory limit (ulimit -v and -d, LimitAS= and LimitDATA= of systemd), or retry later.",
            headers: retryLater)
    }

    static func stopping() -> HTTPResponse {
        .error(
            status: 503, code: "stopping", message: "The server is stopping.", hint: "Start the server again.",
            headers: retryLater)
    }

    static func unsendable() -> HTTPResponse {
        .error(
            status: 500, code: "internalError",
            message: "The response to this request cannot be sent.",
            hint: "See the standard error output of the traced program.")
    }

    /// The delay in seconds.
    private static let retryLater: HTTPHeaders = [HTTPHeaders.Field("Retry-After", "5")]
}
