/// Runs a body deep in the stack, so that `overwriteStack` can overwrite its stale references afterwards.
@MainActor @inline(never)
package func farDownTheStack<Result>(levels: Int = 24, _ body: () -> Result) -> Result {
    guard levels > 0 else { return body() }
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { _ in
        farDownTheStack(levels: levels - 1, body)
    }
}

/// Overwrites the stale data of earlier calls on the stack.
///
/// In debug builds, this data includes references to temporaries.
@inline(never)
package func overwriteStack(levels: Int = 160) {
    // Larger allocations would not be on the stack.
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { bytes in
        _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
        if levels > 0 { overwriteStack(levels: levels - 1) }
        // The read after the call prevents a tail call, which would reuse the frame.
        precondition(bytes[bytes.count / 2] == 0)
    }
}
