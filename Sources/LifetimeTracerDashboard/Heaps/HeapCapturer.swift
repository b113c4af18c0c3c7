import RetainPaths

/// Counts what fills the heap: in a frozen copy of the process, or by a substitute in a test.
struct HeapCapturer: Sendable {
    /// Counts the heap and reports the progress.
    let capture: @Sendable (_ progress: @escaping @Sendable (RetainPaths.Progress) -> Void) async throws -> HeapGraph

    /// Returns a capturer that counts the heap of a frozen copy of the process.
    static func inACopy(_ options: RetainPaths.Options) -> Self {
        Self { progress in try await HeapGraph.capture(options: options, progress: progress) }
    }
}
