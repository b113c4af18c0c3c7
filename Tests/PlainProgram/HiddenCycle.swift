/// An object that memory of its own holds, of which no layout is known.
final class HiddenCycle {
    private let memory = UnsafeMutablePointer<AnyObject>.allocate(capacity: 1)

    private init() {
        memory.initialize(to: self)
    }

    /// Leaks two objects, so that they may be leaked, or in use out of sight of a search.
    @inline(never)
    static func plant() {
        for _ in 0..<2 { _ = HiddenCycle() }
    }
}
