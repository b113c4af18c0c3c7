/// The options of `top`.
struct TopOptions: Sendable {
    let address: ServerAddress
    let sort: TopSort
    /// The most types in the table; `nil` for as many as fit on the terminal.
    let count: Int?
    /// The time between two requests.
    let interval: Duration
    /// Whether to print one table and end, on a terminal as well.
    let isOnce: Bool
    let timeout: Duration
    /// The file with the access token; `nil` to use the environment's.
    let tokenFile: String?

    /// The default number of types if no terminal limits it.
    static let usualCount = 20
    private static let longestCount = 10_000
    private static let usualInterval = 2.0
    private static let intervals = 0.1...3600.0

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = TopCommand.syntax
        address = try ServerAddress(arguments.operands[0], of: syntax)
        let text = arguments.text("--sort") ?? TopSort.live.rawValue
        guard let sort = TopSort(rawValue: text) else {
            throw syntax.error("--sort \"\(text)\" is not a column; known columns: \(TopSort.names)")
        }
        self.sort = sort
        count = try arguments.count("--count")
        if let count, !(1...Self.longestCount).contains(count) {
            throw syntax.error("--count \"\(count)\" is not a number from 1 to \(Self.longestCount)")
        }
        interval = .seconds(try arguments.seconds("--interval", in: Self.intervals) ?? Self.usualInterval)
        isOnce = arguments.text("--once") != nil
        timeout = try arguments.timeout()
        tokenFile = arguments.text("--token-file")
    }
}

/// The column by which a table of types is sorted: names ascending, everything else descending.
enum TopSort: String, Sendable, CaseIterable {
    case live, growth, born, died, peak, overdue, bytes, name

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The server's sort order, with which the first pages suffice; `nil` if this program must sort all types.
    var serverSort: String? {
        switch self {
        case .live, .born, .died, .peak, .overdue, .name: rawValue
        case .growth, .bytes: nil
        }
    }

    /// Returns whether one row comes before another.
    func isBefore(_ left: TopRow, _ right: TopRow) -> Bool {
        let (one, other) = (value(of: left), value(of: right))
        return one == other ? left.type < right.type : one > other
    }

    private func value(of row: TopRow) -> Double {
        switch self {
        case .live: Double(row.live)
        // Types with unknown growth come last.
        case .growth: row.growth ?? -.infinity
        case .born: Double(row.born)
        case .died: Double(row.died)
        case .peak: Double(row.peak)
        case .overdue: Double(row.overdue)
        case .bytes: row.bytes.map(Double.init) ?? -1
        case .name: 0
        }
    }
}
