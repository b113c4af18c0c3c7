/// Pairs at the end of a deep call chain, so that a stack walk finds as many frames as it records.
struct StackCourse: Course {
    /// More than the 16 that a creation stack holds.
    let depth = 24

    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        let depth = depth
        return { pairs in
            var time = 0.0
            descend(depth) { time = Stopwatch.time { hotPairs(S.self, pairs) } }
            return time / Double(pairs)
        }
    }
}

/// Calls itself `depth` times, each time with its own frame: work after the call prevents a tail call.
@inline(never)
private func descend(_ depth: Int, _ body: () -> Void) {
    if depth == 0 { body() } else { descend(depth - 1, body) }
    withUnsafePointer(to: depth) { keepFrame($0) }
}

@inline(never)
private func keepFrame(_ address: UnsafePointer<Int>) {
    precondition(address.pointee >= 0, "a frame was lost")
}
