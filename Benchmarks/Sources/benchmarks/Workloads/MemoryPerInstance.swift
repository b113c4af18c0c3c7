import CBenchmarks
import LifetimeTracer
import Reporting

/// What an instance takes beyond the object as it would be untraced: as the registry says, and as the system does.
///
/// Needs a process in which nothing has been traced yet: memory that was used before is used again and would not show.
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

    /// Makes a crowd and tells how many bytes an object of it made resident.
    private func taken<S: Subject>(_ make: (Int) -> S) -> ([S], Double) {
        var crowd: [S] = []
        crowd.reserveCapacity(live)
        // So that the array's own pages do not count.
        for index in 0..<live { crowd.append(index == 0 ? make(index) : crowd[0]) }
        let before = bench_resident_bytes()
        for index in 1..<live { crowd[index] = make(index) }
        return (crowd, Double(bench_resident_bytes() - before) / Double(live))
    }

    private static func size(_ type: AnyClass) -> Int { instanceSize(of: type) }
}

/// The bytes of an object of a class: the runtime's own answer, of which the standard library makes no API.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(of type: AnyClass) -> Int
