import ForkTesting

/// A run of the program `volume`, and what it printed.
struct VolumeRun {
    /// The exit code; negative when a signal ended it.
    let status: Int32
    /// All that it printed.
    let text: String

    private let figures: [String: [Int]]

    init(of name: String, rounds: Int) async throws {
        let ending = try await BuiltProgram(name: "volume").run([name, "\(rounds)"])
        status = ending.status
        text = (["exit status \(ending.status)"] + ending.lines).joined(separator: "\n")
        let words = ending.lines.map { $0.split(separator: " ") }
        figures = Dictionary(
            words.filter { !$0.isEmpty }.map { (String($0[0]), $0.dropFirst().compactMap { Int($0) }) },
            uniquingKeysWith: { first, _ in first })
    }

    /// How many bytes the rounds left allocated, beyond those that the same leaves without the tracer.
    var allocatedGrowth: Int? { growth("allocated") }

    /// How many bytes more of the process were in memory after the rounds, beyond the same.
    var residentGrowth: Int? { growth("resident") }

    private func growth(_ figure: String) -> Int? {
        guard let figures = figures[figure], figures.count == 2 else { return nil }
        return figures[1] - figures[0] - (self.figures["control"]?.first ?? 0)
    }
}
