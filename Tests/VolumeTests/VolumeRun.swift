import ForkTesting

/// A run of the program `volume`, and its output.
struct VolumeRun {
    /// The exit code; negative if a signal ended the program.
    let status: Int32
    /// The output.
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

    /// The number of bytes that the rounds left allocated, minus that of the control.
    var allocatedGrowth: Int? { growth("allocated") }

    /// The number of additional resident bytes after the rounds, minus that of the control.
    var residentGrowth: Int? { growth("resident") }

    private func growth(_ figure: String) -> Int? {
        guard let figures = figures[figure], figures.count == 2 else { return nil }
        return figures[1] - figures[0] - (self.figures["control"]?.first ?? 0)
    }
}
