import LifetimeTracer

/// The wire type of the resources of the process over time.
struct WireProcessHistory: JSONObject {
    private let samples: [WireProcessSample]
    private let finding: MemoryFinding?
    private let openFilesLimit: UInt64?

    init(_ samples: [ProcessSample], finding: MemoryFinding?, _ clock: WireClock) {
        self.samples = samples.map { WireProcessSample(sample: $0, time: clock.timestamp($0.at)) }
        self.finding = finding
        openFilesLimit = samples.last?.usage.maximumFiles.flatMap(UInt64.init(exactly:))
    }

    static let fields = Field.list {
        Field("stepSeconds", as: .integer(1...)) { _ in ProcessHistory.stepSeconds }
        Field("openFilesLimit") { $0.openFilesLimit }
        Field("finding") { $0.finding.map(WireMemoryFinding.init) }
        Field("samples", as: .array(of: WireProcessSample.schema, count: 0...ProcessHistory.length)) { $0.samples }
    }
}

/// The wire type of the resources at one time.
private struct WireProcessSample: JSONObject {
    let sample: ProcessSample
    let time: Timestamp

    static let fields = Field.list {
        Field("time") { $0.time }
        Field("live") { $0.sample.live }
        Field("residentBytes") { $0.sample.usage.residentBytes.flatMap(UInt64.init(exactly:)) }
        Field("heapBytes") { $0.sample.usage.heapBytes.flatMap(UInt64.init(exactly:)) }
        Field("cpuSeconds") { $0.sample.usage.cpuSeconds.map { DecimalNumber.seconds(.seconds($0)) } }
        Field("threads") { $0.sample.usage.threads.flatMap(UInt64.init(exactly:)) }
        Field("openFiles") { $0.sample.usage.openFiles.flatMap(UInt64.init(exactly:)) }
    }
}

/// The wire type of a rise of the memory without a rise of the live instances.
private struct WireMemoryFinding: JSONObject {
    let finding: MemoryFinding

    static let fields = Field.list {
        Field("bytesBefore") { $0.finding.bytesBefore }
        Field("bytesNow") { $0.finding.bytesNow }
        Field("liveBefore") { $0.finding.liveBefore }
        Field("liveNow") { $0.finding.liveNow }
        Field("periodSeconds") { DecimalNumber.seconds($0.finding.period) }
    }
}
