import CRetainPaths
import TracerBase

extension HeapGraph {
    /// The most objects that ``retainedBytes(of:options:)`` takes.
    public static let mostMeasuredObjects = Int(RP_MAX_MEASURED_OBJECTS)

    /// Returns the bytes that each object retains: its own, and those of everything that only it holds.
    ///
    /// As many bytes would be freed with the object. The search works like ``capture(options:progress:)``, but takes a
    /// single copy of the process. The caller's own references count: what the caller holds, too, is retained by no
    /// object. The search itself does not hold the objects.
    ///
    /// - Parameters:
    ///   - objects: Objects of any class, at most ``mostMeasuredObjects``; they need not be traced.
    ///   - options: The limits.
    /// - Returns: A number for each object; `nil` for an object that is gone, or that no root reaches.
    /// - Throws: ``RetainPathsError``, such as ``RetainPathsError/cancelled`` if the task is cancelled.
    nonisolated(nonsending) public static func retainedBytes(
        of objects: consuming [AnyObject], options: RetainPaths.Options = RetainPaths.Options()
    ) async throws(RetainPathsError) -> [Int?] {
        // Safe: the addresses are compared and never dereferenced. Inverted, so that they do not hold the objects.
        let addresses = objects.map { ~UInt64(UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())) }
        // From here on, only the caller holds the objects.
        _ = consume objects
        AskingTask.clearUnusedFrames()
        return try await search { isCancelled, askers in
            guard let memory = RetainedMemory() else {
                let error = SystemError.last
                throw RetainPathsError.failed(
                    reason: "not enough memory for the result: \(error). \(ProcessLimits.reason(for: error))")
            }
            for address in addresses where !memory.ask(address) {
                throw RetainPathsError.failed(
                    reason: "\(addresses.count) objects are too many; ask for at most \(mostMeasuredObjects) at once.")
            }
            let observer = SearchObserver(progress: { _ in }, isCancelled: isCancelled)
            _ = try RetainPaths.checkedSearch(.carriedWords([]), by: [], options, observer)
            var budget = SearchBudget(options.timeout)
            try LeakSearch.measure(memory, options, by: askers, within: &budget, observer)
            guard memory.isDone else { throw RetainPathsError.failed(reason: memory.obstacle) }
            return memory.askedBytes.map { $0 == 0 ? nil : $0 }
        }
    }
}
