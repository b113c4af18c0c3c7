import CRetainPaths

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
/// In debug builds, this data includes references to temporaries. It is overwritten in one piece: the frames of a
/// recursive function would leave gaps.
@inline(never)
package func overwriteStack() {
    #if os(Linux)
    rp_clear_stack()
    #endif
}
