/// The number of live instances of one subject by the minute of their birth.
///
/// A minute counts from the registry's start on the registry's clock. A count is taken just after a minute has ended:
/// age 0 is that minute, age 1 the minute before. Instances of the minute that has just begun are not counted.
struct AgeCounts: Sendable, Equatable {
    /// The number of minutes that are counted separately; older instances are counted together.
    static let minutes = Generations.windowCount * GrowthTrack.windowLengths[GrowthTrack.windowLengths.count - 1]

    /// The live instances by age in minutes, youngest first; shorter than ``minutes`` if all further counts are zero.
    private(set) var byAge: [UInt32]
    /// The live instances that are older than ``minutes``.
    private(set) var older: Int

    /// Creates counts; counts beyond ``minutes`` are added to the older ones.
    init(_ byAge: [UInt32] = [], older: Int = 0) {
        self.byAge = Array(byAge.prefix(Self.minutes))
        self.older = byAge.dropFirst(Self.minutes).reduce(older) { $0 + Int($1) }
    }

    /// Counts one more instance.
    mutating func add(age: Int) {
        guard age >= 0 else { return }
        guard age < Self.minutes else {
            older += 1
            return
        }
        while byAge.count <= age { byAge.append(0) }
        byAge[age] += 1
    }

    /// The number of counted instances.
    var total: Int { byAge.reduce(older) { $0 + Int($1) } }

    /// The live instances of the youngest windows of a length in minutes, youngest window first.
    func survivors(windowMinutes: Int) -> [Int] {
        (0..<Generations.windowCount).map { window in
            let first = min(window * windowMinutes, byAge.count)
            return byAge[first..<min(first + windowMinutes, byAge.count)].reduce(0) { $0 + Int($1) }
        }
    }
}
