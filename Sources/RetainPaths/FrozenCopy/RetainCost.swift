/// The cost of a search.
public struct RetainCost: Sendable, Hashable {
    /// The number of Swift objects in the heap.
    public var objects = 0
    /// The number of blocks of memory in the heap, including the objects.
    public var blocks = 0
    /// The time for which the program's memory map was locked to copy the process.
    ///
    /// It is the maximum over all rounds.
    public var pause = Duration.zero
    /// The time from the question to the answer.
    ///
    /// It includes the naming and, for the first question, the self-check, but not the wait for earlier searches.
    public var total = Duration.zero
    /// The number of copies of the process.
    ///
    /// It is more than one if the search met new types.
    public var rounds = 0
    /// The memory that a copy allocated for itself, in bytes.
    public var copyBytes = 0
    /// The number of words of variables that the search did not read, because they contain no strong references.
    ///
    /// By their symbols, they are metadata, variables of types that never hold an object, variables of Swift's runtime,
    /// or the tracer's own tables.
    public var excludedWords = 0
}
