/// Pairs with nothing else live, on the calling thread.
struct HotCourse: Course {
    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        { pairs in Stopwatch.time { hotPairs(S.self, pairs) } / Double(pairs) }
    }
}
