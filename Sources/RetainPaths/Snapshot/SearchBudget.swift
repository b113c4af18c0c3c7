/// How long the copies of a question may work.
///
/// It is processor time, so that the program's own load does not end a search. Only where the copies get next to none, as in a container
/// that is stopped, a search ends by the clock.
struct SearchBudget: CustomStringConvertible {
    /// How many times the limit may pass by the clock.
    private static let patience = 20

    private let limit: Duration
    private let start: ContinuousClock.Instant
    private var spent: Duration = .zero

    /// A budget of so much processor time.
    init(_ limit: Duration, since start: ContinuousClock.Instant = .now) {
        self.limit = limit
        self.start = start
    }

    /// Takes off what a copy has worked.
    mutating func spend(_ time: Duration) { spent += time }

    /// Whether nothing is left.
    var isSpent: Bool { spent >= limit || ContinuousClock.now - start >= limit * Self.patience }

    /// What was taken: "12.3 s of processor time, 40.1 s by the clock".
    var description: String {
        "\(Self.seconds(spent)) s of processor time, \(Self.seconds(ContinuousClock.now - start)) s by the clock"
    }

    private static func seconds(_ time: Duration) -> Double {
        ((time / .seconds(1)) * 10).rounded() / 10
    }
}
