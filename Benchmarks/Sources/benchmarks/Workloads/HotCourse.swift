/// Pairs on the calling thread with no other live object.
struct HotCourse: Course {
    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        { pairs in Stopwatch.time { hotPairs(S.self, pairs) } / Double(pairs) }
    }
}
