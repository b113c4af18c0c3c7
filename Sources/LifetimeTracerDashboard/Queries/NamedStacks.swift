import LifetimeTracer

/// The creation stacks of one answer, each named once, however many instances were made there.
struct NamedStacks {
    private var named: [CreationStack: WireStack] = [:]

    /// The stack with its names; `nil` where none was recorded.
    mutating func callAsFunction(_ stack: CreationStack?) -> WireStack? {
        guard let stack else { return nil }
        if let known = named[stack] { return known }
        let new = WireStack(stack)
        named[stack] = new
        return new
    }
}
