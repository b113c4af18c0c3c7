import Glibc
import LifetimeTracer
import Reporting
import RetainPaths

/// Measures the cost of a search for retain paths in a heap with a given number of objects.
@main @MainActor enum SearchesProgram {
    /// The root of the heap: a variable from which all objects are reached, as in most programs.
    private static var orders: Orders?
    private static let usage = "usage: searches OBJECTS ROUNDS"

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard numbers.count == 2, (1...100_000_000).contains(numbers[0]), (1...10_000).contains(numbers[1]) else {
            fail("two whole numbers from 1 are wanted\n\(usage)", status: 2)
        }
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
        withExtendedLifetime((orders, basket)) {}
        print("objects: \(first.cost.objects), blocks of malloc: \(first.cost.blocks), rounds: \(costs.count)")
        print(
            "of \(Orders.kinds.reduce(0) { $0 + $1.value }) objects: "
                + Orders.kinds.map { "\($1) \($0)" }.joined(separator: ", "))
        tell("pause, ms", costs.map { $0.pause / .milliseconds(1) })
        tell("answer, ms", costs.map { $0.total / .milliseconds(1) })
        tell("first answer with the self-check, ms", [first.cost.total / .milliseconds(1)])
        tell("bytes of the copy a block", costs.map { Double($0.copyBytes) / Double($0.blocks) })
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
