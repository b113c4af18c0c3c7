/// The time that the frozen copies of one question may use.
///
/// The budget is processor time, so that the program's own load does not end a search. The clock ends a search only if
/// the copies get almost no processor time, for example in a stopped container.
struct SearchBudget: CustomStringConvertible {
    /// The factor between the limit of processor time and the limit by the clock.
    private static let patience = 20

    private let limit: Duration
    private let start: ContinuousClock.Instant
    private var spent: Duration = .zero

    /// Creates a budget with a limit of processor time.
    init(_ limit: Duration, since start: ContinuousClock.Instant = .now) {
        self.limit = limit
        self.start = start
    }

    /// Subtracts the processor time that a copy has used.
    mutating func spend(_ time: Duration) { spent += time }

    /// Whether the budget is used up.
    var isSpent: Bool { spent >= limit || ContinuousClock.now - start >= limit * Self.patience }

    /// The time used: "12.3 s of processor time, 40.1 s of elapsed time".
    var description: String {
        "\(Self.seconds(spent)) s of processor time, \(Self.seconds(ContinuousClock.now - start)) s of elapsed time"
    }

    private static func seconds(_ time: Duration) -> Double {
        ((time / .seconds(1)) * 10).rounded() / 10
    }
}
