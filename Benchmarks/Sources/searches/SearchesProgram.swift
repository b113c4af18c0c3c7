import CBenchmarks
import Glibc
import LifetimeTracer
import Reporting
import RetainPaths

/// Measures the cost of searches for retain paths, and of captures, of a heap with a given number of objects, and of
/// leaked cycles of two objects.
@main @MainActor enum SearchesProgram {
    /// The root of the heap: a variable from which all objects are reached, as in most programs.
    private static var orders: Orders?
    private static let usage = "usage: searches OBJECTS ROUNDS [CYCLES]"

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard (2...3).contains(numbers.count), (1...100_000_000).contains(numbers[0]),
            (1...10_000).contains(numbers[1]), numbers.dropFirst(2).allSatisfy({ (1...100_000_000).contains($0) })
        else {
            fail("two or three whole numbers from 1 are wanted\n\(usage)", status: 2)
        }
        let cycles = numbers.dropFirst(2).first ?? 0
        Couple.leak(cycles)
        let orders = Orders(objects: numbers[0])
        Self.orders = orders
        let basket = Basket()
        orders.keep(basket)
        let id = basket.lifetimeID
        let first = try await RetainPaths.explain([id])
        var costs: [RetainCost] = []
        for _ in 0..<numbers[1] {
            let report = try await RetainPaths.explain([id])
            guard case .reachable = report.explanations[0].status else {
                fail("the answer is wrong: \(report.explanations[0].text())", status: 1)
            }
            costs.append(report.cost)
        }
        let (captures, forks) = try await costsOfCaptures(numbers[1], cycles: cycles)
        withExtendedLifetime((orders, basket)) {}
        print("objects: \(first.cost.objects), blocks of malloc: \(first.cost.blocks), rounds: \(costs.count)")
        print(
            "of \(Orders.kinds.reduce(0) { $0 + $1.value }) objects: "
                + Orders.kinds.map { "\($1) \($0)" }.joined(separator: ", "))
        tell("pause, ms", costs.map { $0.pause / .milliseconds(1) })
        tell("answer, ms", costs.map { $0.total / .milliseconds(1) })
        tell("first answer with the self-check, ms", [first.cost.total / .milliseconds(1)])
        tell("bytes of the copy a block", costs.map { Double($0.copyBytes) / Double($0.blocks) })
        tell("captures with leaks and retained sizes: pause, ms", captures.map { $0.pause / .milliseconds(1) })
        tell("fork alone, ms", forks)
        tell("captures: answer, ms", captures.map { $0.total / .milliseconds(1) })
        tell("captures: bytes of the copy a block", captures.map { Double($0.copyBytes) / Double($0.blocks) })
    }

    /// The costs of captures of the heap, without the first, which compiles layouts; and the milliseconds of a `fork`
    /// after each, which copies the same process.
    private static func costsOfCaptures(_ count: Int, cycles: Int) async throws -> ([RetainCost], forks: [Double]) {
        var costs: [RetainCost] = []
        var forks: [Double] = []
        for _ in 0...count {
            let graph = try await HeapGraph.capture()
            let leaked = graph.leaks.cycles.reduce(0) { $0 + $1.count }
            guard graph.leaks.obstacle == nil, leaked == cycles else {
                fail("the leaks are wrong: \(graph.leaks)", status: 1)
            }
            costs.append(graph.cost)
            forks.append(bench_fork() / 1e6)
        }
        return (Array(costs.dropFirst()), Array(forks.dropFirst()))
    }

    private static func fail(_ reason: String, status: Int32) -> Never {
        let line = "error: \(reason)\n"
        _ = line.utf8CString.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
        exit(status)
    }

    private static func tell(_ what: String, _ values: [Double]) {
        let spread = Spread(of: values)
        print("\(what): \(spread.median) (\(spread.low) to \(spread.high))")
    }
}
