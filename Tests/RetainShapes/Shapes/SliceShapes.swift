internal import LifetimeTracer

/// Slices, which keep all elements of the array from which they were made.
@MainActor package enum SliceShapes {
    package static var recent: ArraySlice<Screen> = []
    package static var last: ArraySlice<Screen>?
    package static var pages: [String: ArraySlice<Screen>] = [:]
    package static var inbox: Inbox?
    package static var reading: (() -> Int)?

    /// Optimised programs do not contain the type of this struct.
    private struct Outbox {
        var remaining: ArraySlice<Screen> = []
    }

    private static var outbox = Outbox()

    /// A queue that takes its elements from the front.
    package final class Inbox {
        fileprivate var queue: ArraySlice<Screen>

        fileprivate init(_ screens: [Screen]) { queue = screens[...] }

        fileprivate func drop() { queue = queue.dropFirst() }
    }

    static let all = [dropped, behind, optional, inDictionary, inObject, inStruct, captured, inside, appended]

    private static let outside = "outside the slice]"

    private static func outside(_ path: StepPattern...) -> Expectation {
        Expectation(status: .reachable, path: path).hinting(.growingContainer, "outside the bounds of a slice")
    }

    private static let dropped = Shape(
        "slice: element before its start", outside(.global("SliceShapes.recent"), .through("[1, \(outside)"))
    ) {
        let made = DetailScreen()
        recent = [Screen(), made, Screen(), Screen()].dropFirst(2)
        return Planted(made) { recent = [] }
    }

    private static let behind = Shape(
        "slice: element behind its end", outside(.global("SliceShapes.recent"), .through("[3, \(outside)"))
    ) {
        let made = DetailScreen()
        recent = [Screen(), Screen(), Screen(), made].prefix(2)
        return Planted(made) { recent = [] }
    }

    private static let optional = Shape(
        "slice: element before an optional one", outside(.global("SliceShapes.last"), .through("[0, \(outside)"))
    ) {
        let made = DetailScreen()
        last = [made, Screen(), Screen()].suffix(1)
        return Planted(made) { last = nil }
    }

    private static let inDictionary = Shape(
        "slice: element before one in a dictionary",
        outside(.global("SliceShapes.pages"), .through("[\"news\"]"), .through("[0, \(outside)"))
    ) {
        let made = DetailScreen()
        pages["news"] = [made, Screen(), Screen()][1...]
        return Planted(made) { pages = [:] }
    }

    private static let inObject = Shape(
        "slice: element that a queue has dropped",
        .held(.global("SliceShapes.inbox"), .through(".queue"), .through("[0, \(outside)"))
            .hinting(.growingContainer, "Inbox.queue keeps DetailScreen outside the bounds of a slice").giving(".queue")
    ) {
        let made = DetailScreen()
        inbox = Inbox([made, Screen()])
        inbox?.drop()
        return Planted(made) { inbox = nil }
    }

    private static let inStruct = Shape(
        "slice: element before one in a struct", outside(.global("SliceShapes.outbox"), .through("[0, \(outside)"))
    ) {
        let made = DetailScreen()
        outbox.remaining = [made, Screen(), Screen()].dropFirst()
        return Planted(made) { outbox.remaining = [] }
    }

    private static let captured = Shape(
        "slice: element before one that a closure captures",
        .held(.global("SliceShapes.reading"), .closure("captured"), .through("[0, \(outside)"))
            .hinting(.hubCapture, "Capture a copy of the needed elements")
    ) {
        let made = DetailScreen()
        let tail = [made, Screen(), Screen()].suffix(2)
        reading = { tail.reduce(0) { $0 + $1.taps } }
        return Planted(made) { reading = nil }
    }

    private static let inside = Shape(
        "slice: element within its bounds",
        .held(.global("SliceShapes.recent"), .through("[1]"))
            .hinting(.growingContainer, "Remove DetailScreen when it is no longer needed")
    ) {
        let made = DetailScreen()
        recent = [Screen(), made, Screen()].dropFirst()
        return Planted(made) { recent = [] }
    }

    /// A slice that grows copies its elements into a storage of its own, and keeps their indices.
    private static let appended = Shape(
        "slice: element of its own storage",
        .held(.global("SliceShapes.recent"), .through("[0]"))
            .hinting(.growingContainer, "Remove DetailScreen when it is no longer needed")
    ) {
        let made = DetailScreen()
        recent = [Screen(), Screen(), made].suffix(1)
        for _ in 0..<40 { recent.append(Screen()) }
        return Planted(made) { recent = [] }
    }
}
