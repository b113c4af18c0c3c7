import LifetimeTracer

/// The creation stacks of one response.
///
/// Each stack is symbolised once, even if many instances share it.
struct NamedStacks {
    private var named: [CreationStack: WireStack] = [:]

    /// Returns the stack with its function names; `nil` if no stack was recorded.
    mutating func callAsFunction(_ stack: CreationStack?) -> WireStack? {
        guard let stack else { return nil }
        if let known = named[stack] { return known }
        let new = WireStack(stack)
        named[stack] = new
        return new
    }
}
