import LifetimeTracer

/// The finding that the memory of the process rises while its live instances do not.
///
/// The leaking memory then belongs to no traced object: to untraced classes, to buffers, or to a C library.
struct MemoryFinding: Sendable, Equatable {
    /// The fewest samples from which a conclusion is drawn: those of three minutes.
    static let fewestSamples = 36
    /// The least rise that counts, in bytes and as a share of the memory before.
    private static let leastRise = (bytes: 4_000_000.0, share: 0.1)

    /// The memory in bytes and the live instances, as medians of the first and of the last third of the period.
    let bytesBefore: UInt64
    let bytesNow: UInt64
    let liveBefore: Int
    let liveNow: Int
    /// The length of the period.
    let period: Duration

    /// Examines the samples of a process, oldest first; `nil` if the memory did not rise, or the instances rose as
    /// well.
    ///
    /// The memory must rise from the first third to the second and from the second to the last. A process that fills
    /// its caches at its start and stays there is no finding.
    init?(in samples: [ProcessSample]) {
        let known = samples.compactMap { sample in sample.bytes.map { (sample.at, $0, Double(sample.live)) } }
        guard known.count >= Self.fewestSamples, let first = known.first, let last = known.last else { return nil }
        let third = known.count / 3
        let parts = [known.prefix(third), known.dropFirst(third).prefix(third), known.suffix(third)]
        let bytes = parts.map { Self.median($0.map(\.1)) }
        let live = parts.map { Self.median($0.map(\.2)) }
        let rise = bytes[2] - bytes[0]
        guard rise >= max(Self.leastRise.bytes, bytes[0] * Self.leastRise.share),
            bytes[1] > bytes[0], bytes[2] - bytes[1] >= rise / 4,
            live[2] - live[0] <= max(10, live[0] / 20)
        else { return nil }
        (bytesBefore, bytesNow) = (UInt64(bytes[0]), UInt64(bytes[2]))
        (liveBefore, liveNow) = (Int(live[0]), Int(live[2]))
        period = last.0 - first.0
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
