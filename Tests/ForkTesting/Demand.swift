import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process when something is not as it has to be, and says what that was.
///
/// For the children of exit tests: of one that traps, the test would only say that it got a signal, since what it prints is lost.
/// Not inlined: Swift 6.3's optimiser fails on the end of the process in an asynchronous closure.
@inline(never)
package func demand(
    _ isTrue: Bool, _ message: @autoclosure () -> String = "",
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard !isTrue else { return }
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    Issue.record("line \(line) demanded in vain: \(message())", sourceLocation: place)
    _exit(EXIT_FAILURE)
}
