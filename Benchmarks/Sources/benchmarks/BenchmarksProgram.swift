import CBenchmarks
import LifetimeTracer
import Reporting

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The benchmark program: measures workloads, or formats measured figures.
@main
enum BenchmarksProgram {
    static func main() {
        do {
            exit(try run(try Command(CommandLine.arguments)) ? 0 : 1)
        } catch let error as Command.UsageError {
            complain("\(error)\n\(Command.usage)")
            exit(2)
        } catch {
            complain("\(error)")
            exit(2)
        }
    }

    private static func run(_ command: Command) throws -> Bool {
        switch command {
        case .measure(let only, let quick, let suffix):
            let furniture = try Furniture()
            for (name, text) in Machine.facts { write("# \(name): \(text)") }
            try Measuring(only: only, quick: quick, suffix: suffix).run(write)
            furniture.remain()
        case .memory(let quick):
            let furniture = try Furniture()
            for figure in MemoryPerInstance(live: quick ? 200_000 : 1_000_000).run() { write(figure.line) }
            furniture.remain()
        case .requests(let only, let quick):
            for figure in try RequestCosts(only: only, rounds: quick ? 20 : 100).run() { write(figure.line) }
        case .largeRequests(let only, let quick):
            for figure in try LargeRequests(only: only, isQuick: quick).run() { write(figure.line) }
        case .pairs(let contender, let count):
            try alone(contender) { Alone.pairs(contender, count) }
        case .hold(let contender, let count):
            try alone(contender) { Alone.hold(contender, count) }
        case .report(let file, let thresholds, let style):
            return try report(file, thresholds, style)
        }
        return true
    }

    /// Runs a contender with the library in place.
    ///
    /// The bare class runs without the library, as in a program that does not use it.
    private static func alone(_ contender: String, _ body: () -> Bool) throws {
        Alone.prepareForValgrind()
        let furniture = contender == Contest.bare ? nil : try Furniture()
        guard body() else { throw Command.UsageError(description: "there is no contender '\(contender)' for this") }
        furniture?.remain()
    }

    private static func report(_ file: String, _ thresholdsFile: String?, _ style: Command.ReportStyle) throws -> Bool {
        let results = try Results(text: try FileText.read(file))
        let thresholds = try thresholdsFile.map { try Thresholds(text: try FileText.read($0)) }
        switch style {
        case .text: write(Report(results, thresholds: thresholds).render(as: .text), terminator: "")
        case .markdown: write(Report(results, thresholds: thresholds).render(as: .markdown), terminator: "")
        case .json: write(results.json(thresholds: thresholds), terminator: "")
        case .check:
            guard let thresholds else { throw Command.UsageError(description: "--as check needs --thresholds") }
            let judgement = Judgement(of: results, against: thresholds)
            write(judgement.text)
            return judgement.isGood
        }
        return true
    }

    private static func write(_ text: String) { write(text, terminator: "\n") }

    private static func write(_ text: String, terminator: String) {
        print(text, terminator: terminator)
        // Each workload's figures are visible as soon as they are measured.
        fflush(nil)
    }

    private static func complain(_ text: String) {
        bench_complain("benchmarks: \(text)\n")
    }
}
