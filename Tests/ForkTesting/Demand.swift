import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process with a message if a condition is false.
///
/// Use this in the children of exit tests. If such a child traps, the test only reports the signal, because the child's
/// output is lost. The function is not inlined, because Swift 6.3's optimiser crashes on the end of the process in an
/// asynchronous closure.
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
