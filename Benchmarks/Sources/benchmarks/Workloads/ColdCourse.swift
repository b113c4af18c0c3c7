/// Random deaths in a crowd that no cache holds: each pair puts a new object in the place of a random one.
struct ColdCourse: Course {
    let live: Int

    @inline(__always)
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double {
        var crowd = (0..<live).map { S.make($0) }
        var random = Xorshift(seed: 1)
        let live = UInt64(live)
        return { pairs in
            // One check for all accesses, as the ring has none either.
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
