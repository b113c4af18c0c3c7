/// Random deaths among more objects than any cache holds: each pair replaces a random object with a new one.
struct ColdCourse: Course {
    let live: Int

    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        var crowd = (0..<live).map { S.make($0) }
        var random = Xorshift(seed: 1)
        let live = UInt64(live)
        return { pairs in
            // One exclusivity check for all accesses, because the ring has none either.
            crowd.withUnsafeMutableBufferPointer { crowd in
                Stopwatch.time {
                    var index = 0
                    while index < pairs {
                        crowd[Int(random.next() % live)] = S.make(index)
                        index &+= 1
                    }
                }
            } / Double(pairs)
        }
    }
}
