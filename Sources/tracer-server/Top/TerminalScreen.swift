import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Draws tables in place on the terminal's alternate screen.
///
/// Leaving that screen restores the previous contents.
final class TerminalScreen: Sendable {
    private struct State: LockedState {
        var isEntered = false
        /// The lines drawn last, for drawing them again when the terminal's size changes.
        var lines: [TopTable.Line] = []
    }

    private let state = Locked(State())
    private let hasColours: Bool

    private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaveSequence = "\u{1B}[?25h\u{1B}[?1049l"

    init(hasColours: Bool) {
        self.hasColours = hasColours
    }

    /// Returns whether standard output is a terminal that can be drawn on.
    static func isAvailable(_ environment: [String: String]) -> Bool {
        isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(environment["TERM"] ?? "")
    }

    /// The number of rows and columns of the terminal; 24 and 80 if unknown.
    static var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Switches to the alternate screen and hides the cursor.
    func enter() {
        state.withLock { state in
            state.isEntered = true
            // If the terminal is gone, drawing the next table reports that.
            try? StandardStreams.write(Self.enterSequence)
        }
    }

    /// Restores the main screen and the cursor.
    ///
    /// Later calls of `draw` show nothing.
    func leave() {
        state.withLock { state in
            guard state.isEntered else { return }
            state.isEntered = false
            try? StandardStreams.write(Self.leaveSequence)
        }
    }

    /// Draws lines from the top, cut to the size of the terminal.
    func draw(_ lines: [TopTable.Line]) throws(OutputFailure) {
        try withState { state throws(OutputFailure) in
            state.lines = lines
            try show(state)
        }
    }

    /// Draws the same lines again.
    func redraw() throws(OutputFailure) {
        try withState { state throws(OutputFailure) in try show(state) }
    }

    private func withState(_ body: (inout State) throws(OutputFailure) -> Void) throws(OutputFailure) {
        let result = state.withLock { state in
            Result { () throws(OutputFailure) in try body(&state) }
        }
        try result.get()
    }

    private func show(_ state: State) throws(OutputFailure) {
        guard state.isEntered else { return }
        let size = Self.size
        let shown = state.lines.prefix(size.rows).map { line in
            styled(line.fitting(columns: size.columns), line.style) + "\u{1B}[K"
        }
        // Clears the rest of each line and everything below the last one instead of the whole screen, which would
        // flicker.
        try StandardStreams.write("\u{1B}[H\(shown.joined(separator: "\n"))\u{1B}[J")
    }

    private func styled(_ text: String, _ style: TopTable.Line.Style) -> String {
        guard hasColours else { return text }
        return switch style {
        case .plain: text
        case .heading: "\u{1B}[7m\(text)\u{1B}[0m"
        case .overdue: "\u{1B}[31m\(text)\u{1B}[0m"
        case .growing: "\u{1B}[33m\(text)\u{1B}[0m"
        }
    }
}
