/// The references by which a source of Dispatch holds its handlers.
///
/// No type describes them, but libdispatch's structures do (`struct dispatch_source_refs_s` in
/// `src/event/event_internal.h`, `struct dispatch_continuation_s` in `src/inline_internal.h`): the source refers to its
/// state, the state to a continuation for each handler, and the continuation to the handler's block.
extension NodeReader {
    /// Marks these references as certain.
    func withCertainHandlers(_ steps: [HeapAnswer.Step]) -> [HeapAnswer.Step] {
        var steps = steps
        for index in steps.indices.dropLast(3) where isHandler(steps[index...].prefix(4)) {
            for part in index..<index + 3 { steps[part].isPrecise = true }
        }
        return steps
    }

    private func isHandler(_ steps: ArraySlice<HeapAnswer.Step>) -> Bool {
        guard steps.allSatisfy({ $0.node == .block && $0.edge != nil }), steps.count == 4 else { return false }
        let (state, continuation) = (steps[steps.startIndex + 1], steps[steps.startIndex + 2])
        return kind(steps[steps.startIndex]) == .dispatchSource && state.size >= Self.smallestState
            && Self.continuationSizes.contains(continuation.size) && continuation.offset == Self.contextOffset
            && kind(steps[steps.startIndex + 3]) == .closure
    }

    private func kind(_ step: HeapAnswer.Step) -> BlockName.Kind {
        BlockName(size: step.size, firstWord: step.metadata == 0 ? nil : names.symbol(step.metadata)).kind
    }

    private static let smallestState = 64
    /// The usable sizes of a block of malloc for a continuation of 64 bytes.
    private static let continuationSizes = [72, 88]
    /// The offset of the context in a continuation (`dc_ctxt`).
    private static let contextOffset = 40
}
