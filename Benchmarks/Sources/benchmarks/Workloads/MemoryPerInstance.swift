import CBenchmarks
import LifetimeTracer
import Reporting

/// The memory that an instance takes in addition to an untraced object: according to the registry, and according to the
/// system.
///
/// Needs a process in which nothing has been traced yet, because reused memory would not show.
struct MemoryPerInstance {
    let live: Int

    func run(_ registry: LifetimeRegistry = .shared) -> [Figure] {
        let (bareCrowd, bare) = taken { BarePair.make($0) }
        let before = registry.summary(topTypes: 0).registryBytes
        let (tracedCrowd, traced) = taken { TracedPair.make($0) }
        let told = Double(registry.summary(topTypes: 0).registryBytes - before) / Double(live)
        withExtendedLifetime((bareCrowd, tracedCrowd)) {}
        let fields = Double(Self.size(TracedPair.self) - Self.size(BarePair.self))
        return [
            Figure("memory", "in the object", unit: "bytes", Spread(exactly: fields)),
            Figure("memory", "in the registry", unit: "bytes", Spread(exactly: told)),
            Figure("memory", "both", unit: "bytes", Spread(exactly: fields + told)),
            Figure("memory", "resident", unit: "bytes", Spread(exactly: traced - bare)),
        ]
    }

    /// Creates objects and returns the number of resident bytes per object.
    private func taken<S: Subject>(_ make: (Int) -> S) -> ([S], Double) {
        var crowd: [S] = []
        crowd.reserveCapacity(live)
        // Touches the array's pages first, so that they do not count.
        for index in 0..<live { crowd.append(index == 0 ? make(index) : crowd[0]) }
        let before = bench_resident_bytes()
        for index in 1..<live { crowd[index] = make(index) }
        return (crowd, Double(bench_resident_bytes() - before) / Double(live))
    }

    private static func size(_ type: AnyClass) -> Int { instanceSize(of: type) }
}

/// The size of a class's objects, from a function of the runtime that is not API of the standard library.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(of type: AnyClass) -> Int
