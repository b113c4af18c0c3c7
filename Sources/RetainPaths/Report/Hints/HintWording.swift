/// The wording of each pattern: first the fact, then the remedy.
extension HintFinder {
    func notification(_ closure: Int) -> RetainHint {
        captured(
            .notificationCenterCapture, closure, kept: "A notification centre keeps",
            remedy: ", and remove the observer when \(gone) is no longer needed")
    }

    func hub(_ closure: Int) -> RetainHint {
        captured(
            .hubCapture, closure, kept: keeping(closure),
            remedy: ", or remove the closure when \(gone) is no longer needed")
    }

    func timer(_ closure: Int) -> RetainHint {
        let before = path.cycle.map { Array(path.nodes[$0]) } ?? Array(path.nodes[..<closure])
        if let timer = before.last(where: { KnownTypes.purpose(of: $0.type) == .timer }) {
            let end = timer.type == "Foundation.Timer" ? "invalidate" : "cancel"
            return captured(
                .runningTimer, closure, kept: "A timer keeps",
                remedy: ", and \(end) the timer when \(gone) is no longer needed")
        }
        if before.contains(where: \.isDelayedCall) {
            return captured(
                .runningTimer, closure, kept: "A delayed call of Dispatch keeps",
                remedy: ". Dispatch keeps the closure until the delay has passed, even if its work item is cancelled")
        }
        // Dispatch's own list contains running timers alone. Dispatch ends a program that releases another timer.
        let isRunning = path.beginsAtRoot && path.nodes[0].name == RootName.dispatchTimers
        let first = isRunning ? "" : ". Resume the timer before if it is suspended or was never activated"
        return captured(
            .runningTimer, closure, kept: "A Dispatch timer keeps",
            remedy: "\(exception(closure)), and cancel the timer when \(gone) is no longer needed\(first)")
    }

    /// The hint for a closure of a Dispatch source that is not a timer, or not known to be one.
    func eventSource(_ closure: Int) -> RetainHint {
        captured(
            .eventSource, closure, kept: "A Dispatch source keeps",
            remedy: "\(exception(closure)), and cancel the source when \(gone) is no longer needed")
    }

    /// The exception for a cancel handler, which often needs its captures, for example to close a file.
    ///
    /// The path does not tell the handlers of a source apart.
    private func exception(_ closure: Int) -> String {
        switch path.container(capturedBy: closure) {
        case .variable, nil: ", unless it is the cancel handler"
        case .collection, .constant, .slice: ""
        }
    }

    func request(_ closure: Int) -> RetainHint {
        captured(
            .requestInFlight, closure, kept: "A request that has not ended keeps its completion handler,",
            remedy: ", and cancel the request when \(gone) is no longer needed")
    }

    func ownClosure(_ closure: Int) -> RetainHint {
        captured(
            .ownClosure, closure, kept: keeping(closure),
            result: ", so the object and the closure hold each other",
            remedy: "")
    }

    /// The hint for the closure of a thread.
    func threadBody(_ closure: Int) -> RetainHint {
        captured(
            .runningClosure, closure, kept: "A thread that has not ended runs",
            remedy: ", or let the thread end when \(gone) is no longer needed")
    }

    /// The hint for a closure that a function on a stack keeps, in most cases because it is running the closure.
    func runningClosure(_ closure: Int) -> RetainHint {
        captured(
            .runningClosure, closure,
            kept: "A function that has not returned, on the \(path.nodes[0].name), runs or keeps",
            remedy: ", or let the function return when \(gone) is no longer needed")
    }

    /// The hint for a closure that captures an object that should be gone.
    func captured(
        _ pattern: RetainHint.Pattern, _ closure: Int, kept: String, result: String = "", remedy: String
    ) -> RetainHint {
        let fact = "\(kept) \(name(closure)), which \(capture(closure))\(result)."
        return RetainHint(pattern: pattern, text: "\(fact) \(weakly(closure))\(remedy).")
    }

    /// The hint for a collection that a root reaches and that the program does not empty.
    func container(_ owner: Int) -> RetainHint? {
        if let hint = unreadElement(owner) { return hint }
        guard let held = path.nextShown(after: owner), held > owner else { return nil }
        guard path.nodes[owner..<held].contains(where: \.holdsElement) else { return listElement(owner, held) }
        if path.nodes[owner + 1..<held].contains(where: \.isOutsideSlice) { return slice(held) }
        // Users do not know the private types of a library, nor its closures.
        let isUnknown = isPrivateToLibrary(held) || path.nodes[held].role == .closure && path.isOfLibrary(held)
        let name = isUnknown ? gone : path.nodes[held].name
        let fact = "\(keeping(held)) \(name) until the program removes it."
        let needed = name == gone ? "it" : gone
        let instead = "or store only the needed values, such as an id or a title"
        return RetainHint(
            pattern: .growingContainer, text: "\(fact) Remove \(name) when \(needed) is no longer needed, \(instead).")
    }

    /// The hint for an element of a linked list, to which another element refers; `nil` for other objects.
    private func listElement(_ owner: Int, _ held: Int) -> RetainHint? {
        guard path.linksElement(owner) else { return nil }
        let name = path.nodes[held].name
        let needed = name == gone ? "it" : gone
        return RetainHint(
            pattern: .growingContainer,
            text: "\(keeping(held)) \(name), an element of a linked list, until the program unlinks it. Unlink \(name) "
                + "when \(needed) is no longer needed.")
    }

    /// The hint for an element that a slice keeps although the slice does not show it.
    private func slice(_ held: Int) -> RetainHint {
        RetainHint(
            pattern: .growingContainer,
            text: "\(keeping(held)) \(path.nodes[held].name) outside the bounds of a slice. A slice keeps all "
                + "elements of the array from which it was made. Copy the elements that are needed with Array(…), and "
                + "give up the slice.")
    }
}
