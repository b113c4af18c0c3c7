/// Counts of the compiled layouts, and of names and types that were refused.
struct LayoutStatistics: Sendable, Hashable {
    /// Heap metadata, and contexts with generic arguments.
    var types = 0
    /// Those of `types` whose layouts have conservative parts.
    var conservative = 0
    /// Names that were not passed to the runtime, by reason.
    var screened: [NameShape.Refusal: Int] = [:]
    /// Names that crashed or hung a throwaway process.
    var refused = 0
    /// Metadata that could not be read in a throwaway process.
    var refusedItems = 0
    /// Names that were met in the program without a trial; always 0 unless there is a bug.
    var untried = 0
    /// Throwaway processes that were made to try names.
    var copies = 0
    /// Layouts, slots and names that did not fit into the table.
    var dropped: UInt64 = 0
}
