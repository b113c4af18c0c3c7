import Foundation
import LifetimeTracer

/// A pseudoterminal with a program in it: its screen and its keys.
final class Terminal: Sendable {
    /// The path with which a program opens the terminal.
    let path: String
    private let descriptor: Int32
    private let shown = Locked(Shown())

    private struct Shown: LockedState {
        var text = ""
        /// Whether the thread that reads the terminal must close it.
        ///
        /// Only that thread does: if another one closed the descriptor, the next read could be from a new file with
        /// the same number.
        var isEnded = false
    }

    /// The system could not create a terminal.
    struct CannotOpen: Error {
        let errno: Int32
    }

    init(rows: Int = 24, columns: Int = 80) throws {
        var (outer, inner): (Int32, Int32) = (-1, -1)
        guard openpty(&outer, &inner, nil, nil, nil) == 0 else { throw CannotOpen(errno: errno) }
        // `ttyname` would return the name from memory that all threads share.
        var name = [CChar](repeating: 0, count: 256)
        let failure = ttyname_r(inner, &name, name.count)
        guard failure == 0 else { throw CannotOpen(errno: failure) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = outer
        // The program opens its end itself, and must not inherit either end.
        _ = fcntl(outer, F_SETFD, FD_CLOEXEC)
        close(inner)
        resize(rows: rows, columns: columns)
        Thread.detachNewThread { [descriptor, shown] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            var pending: [UInt8] = []
            while true {
                if shown.withLock({ $0.isEnded }) {
                    close(descriptor)
                    return
                }
                let count = read(descriptor, &buffer, buffer.count)
                // EIO: no program has the terminal open at present.
                if count < 0, errno == EINTR || errno == EIO {
                    usleep(10_000)
                    continue
                }
                guard count > 0 else {
                    close(descriptor)
                    return
                }
                pending += buffer[..<count]
                // A character may arrive in two parts.
                guard let text = String(validating: pending, as: UTF8.self) else { continue }
                pending = []
                shown.withLock { $0.text += text }
            }
        }
    }

    deinit {
        shown.withLock { $0.isEnded = true }
    }

    /// Everything that the program wrote so far, including escape sequences.
    var text: String { shown.withLock { $0.text } }

    /// The lines of the latest screen, without colours.
    var screen: [String] {
        guard let last = text.components(separatedBy: "\u{1B}[H").last, text.contains("\u{1B}[H") else { return [] }
        return last.components(separatedBy: "\r\n").map { line in
            line.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
        }
    }

    /// Types keys: `\u{3}` is Control-C.
    func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    func resize(rows: Int, columns: Int) {
        var size = winsize()
        size.ws_row = UInt16(rows)
        size.ws_col = UInt16(columns)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }
}
