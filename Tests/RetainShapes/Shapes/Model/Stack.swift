/// Runs a body far down the stack, so that what it leaves there can be overwritten afterwards.
@MainActor @inline(never)
package func farDownTheStack<Result>(levels: Int = 24, _ body: () -> Result) -> Result {
    guard levels > 0 else { return body() }
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { _ in
        farDownTheStack(levels: levels - 1, body)
    }
}

/// Overwrites what earlier calls have left on the stack: in debug builds, references to temporaries.
@inline(never)
package func overwriteStack(levels: Int = 160) {
    // No more at a time: larger ones are not on the stack.
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { bytes in
        _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
        if levels > 0 { overwriteStack(levels: levels - 1) }
        // Read behind the call, so that it is no jump that uses the same frame again.
        precondition(bytes[bytes.count / 2] == 0)
    }
}
