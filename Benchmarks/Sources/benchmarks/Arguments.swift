/// A command of the command line.
enum Command {
    /// Measures the timed workloads: all of them, or those that are named.
    case measure(only: [String], quick: Bool, suffix: String)
    /// Measures the memory of a million instances.
    case memory(quick: Bool)
    /// Measures the CPU time of requests to the server: of all kinds, or of those that are named.
    case requests(only: [String], quick: Bool)
    /// Measures requests to a server with a large registry: all of them, or those that are named.
    case largeRequests(only: [String], quick: Bool)
    /// Runs a number of pairs of one contender and nothing else, for external tools.
    case pairs(contender: String, count: Int)
    /// Creates a number of objects of one contender and keeps all of them.
    case hold(contender: String, count: Int)
    /// Formats the figures of a file.
    case report(file: String, thresholds: String?, style: ReportStyle)

    /// The output of ``Command/report(file:thresholds:style:)``.
    enum ReportStyle: String {
        case text
        case markdown
        case json
        /// A comparison with thresholds; the exit code is 1 if a threshold is missed.
        case check
    }

    /// An invalid command line.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: benchmarks measure [--only ID,ID…] [--quick] [--suffix .X]
               benchmarks memory [--quick]
               benchmarks requests [--only KIND,KIND…] [--quick]
               benchmarks large-requests [--only KIND,KIND…] [--quick]
               benchmarks pairs|hold CONTENDER COUNT
               benchmarks report FILE [--thresholds FILE] [--as text|markdown|json|check]
        """

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments.dropFirst()[...]
        let name = rest.popFirst() ?? "nothing"
        switch name {
        case "measure", "memory", "requests", "large-requests":
            var only: [String] = []
            var suffix = ""
            var quick = false
            while let option = rest.popFirst() {
                switch option {
                case "--quick": quick = true
                case "--only" where name != "memory":
                    only = try Self.value(of: option, from: &rest).split(separator: ",").map(String.init)
                case "--suffix" where name == "measure": suffix = try Self.value(of: option, from: &rest)
                default: throw UsageError(description: "\(name) does not know '\(option)'")
                }
            }
            switch name {
            case "memory": self = .memory(quick: quick)
            case "large-requests": self = .largeRequests(only: only, quick: quick)
            case "requests": self = .requests(only: only, quick: quick)
            default: self = .measure(only: only, quick: quick, suffix: suffix)
            }
        case "pairs", "hold":
            guard rest.count == 2, let contender = rest.popFirst(), let text = rest.popFirst(), let count = Int(text),
                (1...100_000_000).contains(count)
            else { throw UsageError(description: "\(name) takes a contender and a count from 1 to 100000000") }
            self =
                name == "pairs" ? .pairs(contender: contender, count: count) : .hold(contender: contender, count: count)
        case "report":
            guard let file = rest.popFirst() else { throw UsageError(description: "report takes a file") }
            var thresholds: String?
            var style = ReportStyle.text
            while let option = rest.popFirst() {
                switch option {
                case "--thresholds": thresholds = try Self.value(of: option, from: &rest)
                case "--as":
                    let text = try Self.value(of: option, from: &rest)
                    guard let known = ReportStyle(rawValue: text) else {
                        throw UsageError(description: "--as takes text, markdown, json or check, not '\(text)'")
                    }
                    style = known
                default: throw UsageError(description: "report does not know '\(option)'")
                }
            }
            self = .report(file: file, thresholds: thresholds, style: style)
        default:
            throw UsageError(description: "it is to do '\(name)', which it does not know")
        }
    }

    private static func value(of option: String, from rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError(description: "\(option) takes a value") }
        return value
    }
}
