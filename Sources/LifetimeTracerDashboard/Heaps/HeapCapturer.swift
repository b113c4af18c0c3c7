import RetainPaths

/// Counts what fills the heap, and finds what holds objects: in a frozen copy of the process, or by a substitute in a
/// test.
struct HeapCapturer: Sendable {
    /// Counts the heap and reports the progress.
    let capture: @Sendable (_ progress: @escaping @Sendable (RetainPaths.Progress) -> Void) async throws -> HeapGraph
    /// Finds what holds the objects of a type of a capture.
    let paths:
        @Sendable (
            _ graph: HeapGraph, _ question: HeapPathQuestion,
            _ progress: @escaping @Sendable (RetainPaths.Progress) -> Void
        ) async throws -> HeapGraph.Paths

    /// Returns a capturer that counts the heap of a frozen copy of the process.
    static func inACopy(_ options: RetainPaths.Options) -> Self {
        Self(
            capture: { progress in try await HeapGraph.capture(options: options, progress: progress) },
            paths: { graph, question, progress in
                try await graph.paths(
                    to: question.type, kind: question.kind, sample: question.sample, options: options,
                    progress: progress)
            })
    }
}
