import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// A client of a stream that drives it as a server does.
final class Listener: Sendable {
    /// One parsed frame.
    struct Frame: Sendable, Equatable {
        var event: String?
        var id: String?
        var data: String?
        var comment: String?
    }

    private let stream: any ResponseStream
    private let wakeCount = Locked(0)

    init(_ response: HTTPResponse) throws {
        guard case .stream(let stream) = response.body else { throw NotAStream() }
        self.stream = stream
        stream.start { [wakeCount] in wakeCount.withLock { $0 += 1 } }
    }

    private struct NotAStream: Error {}

    /// How often the stream announced new data.
    var wakes: Int { wakeCount.withLock { $0 } }

    /// Takes all data that is ready.
    func takeAll() -> String {
        var bytes: [UInt8] = []
        while case .bytes(let more) = stream.read() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Takes all data that is ready, and parses it as a browser does.
    func takeFrames() -> [Frame] {
        takeAll().split(separator: "\n\n").map { text in
            var frame = Frame()
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let value = String(parts[1].drop { $0 == " " })
                switch parts[0] {
                case "": frame.comment = value
                case "event": frame.event = value
                case "id": frame.id = value
                case "data": frame.data = value
                default: Issue.record("an unknown field: \(line)")
                }
            }
            return frame
        }
    }

    func close() {
        stream.closed(.disconnected)
    }
}
