/// The references by which a source of Dispatch holds its handlers, and a group the closures that wait for it.
///
/// No type describes them, but libdispatch's structures do (`struct dispatch_source_refs_s` in
/// `src/event/event_internal.h`, `struct dispatch_continuation_s` in `src/inline_internal.h`): the source refers to its
/// state, the state to a continuation for each handler, and the continuation to the handler's block. A group refers to
/// such continuations itself (`dg_notify_head` in `src/semaphore_internal.h`).
extension NodeReader {
    /// Marks these references as certain.
    func withCertainHandlers(_ steps: [HeapAnswer.Step]) -> [HeapAnswer.Step] {
        var steps = steps
        for index in steps.indices {
            for count in [3, 2] where isHandler(steps[index...].prefix(count + 1), behind: count) {
                for part in index..<index + count { steps[part].isPrecise = true }
            }
        }
        return steps
    }

    /// Whether steps lead from a source to a block in three references, or from a group in two.
    private func isHandler(_ steps: ArraySlice<HeapAnswer.Step>, behind count: Int) -> Bool {
        guard steps.count == count + 1, steps.allSatisfy({ $0.node == .block && $0.edge != nil }),
            let first = steps.first, let block = steps.last, name(block).kind == .closure
        else { return false }
        let continuation = steps[steps.endIndex - 2]
        guard Self.continuationSizes.contains(continuation.size), continuation.offset == Self.contextOffset else {
            return false
        }
        return count == 3
            ? name(first).kind == .dispatchSource && steps[steps.startIndex + 1].size >= Self.smallestState
            : name(first).text == BlockName.group
    }

    private func name(_ step: HeapAnswer.Step) -> BlockName {
        BlockName(size: step.size, firstWord: step.metadata == 0 ? nil : names.symbol(step.metadata))
    }

    private static let smallestState = 64
    /// The usable sizes of a block of malloc for a continuation of 64 bytes.
    private static let continuationSizes = [72, 88]
    /// The offset of the context in a continuation (`dc_ctxt`).
    private static let contextOffset = 40
}
