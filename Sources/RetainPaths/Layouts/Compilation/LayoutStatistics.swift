/// What was compiled, and what had to be left to guessing.
struct LayoutStatistics: Sendable, Hashable {
    /// Heap metadata and contexts with bindings.
    var types = 0
    /// Those of them with a part of which nothing is known.
    var conservative = 0
    /// Names that the runtime was not asked for, by the reason.
    var screened: [NameShape.Refusal: Int] = [:]
    /// Names that ended a copy of the process, or did not come to an end in it.
    var refused = 0
    /// Metadata that could not be read in a copy of the process.
    var refusedItems = 0
    /// Names that were met without having been tried; there should be none.
    var untried = 0
    /// Copies of the process that were made to try names.
    var copies = 0
    /// What did not fit into the table.
    var dropped: UInt64 = 0
}
