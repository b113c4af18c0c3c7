import Foundation
import RetainShapes

/// Plants leaks with known answers, searches for their retain paths, and reports wrong answers.
///
/// The exit code is 0 if no answer was wrong and at most 3 of 100 were poor, 1 otherwise, and 2 for an invalid command
/// line.
@main @MainActor struct RetainShapesProgram {
    static func main() {
        do {
            exit(run(try RunOptions(Array(CommandLine.arguments.dropFirst()))))
        } catch {
            say("error: \(error.text)\n\(RunOptions.usage)", to: .standardError)
            exit(2)
        }
    }

    private static func run(_ options: RunOptions) -> Int32 {
        let shapes = chosen(options)
        if options.isList {
            for shape in shapes { say("\(shape.kind): \(shape.name)") }
            return 0
        }
        guard !shapes.isEmpty else {
            say("error: no shape has such a name; --list lists them", to: .standardError)
            return 2
        }
        let randomHeap = RandomHeap(blocks: options.randomBlocks)
        let churn = Churn(threads: options.churnThreads)
        var tally = Tally(options: options)
        for _ in 0..<options.runs {
            if options.isTogether {
                ShapeRun.askTogether(shapes, &tally)
            } else {
                for shape in shapes {
                    tally.begin()
                    // The frames of the search would otherwise contain addresses of freed temporaries of this loop, at
                    // which objects of the shape may be allocated.
                    overwriteStack()
                    ShapeRun.ask(shape, &tally)
                    if tally.retriesLeft > 0 { retry(shape, &tally) }
                }
            }
        }
        churn.stop()
        withExtendedLifetime(randomHeap) {}
        return tally.conclude(churnedRounds: churn.rounds)
    }

    /// Searches again for a shape without a right answer.
    ///
    /// Each time, the shape is planted elsewhere, so that a stale word that misled one search cannot mislead another.
    private static func retry(_ shape: Shape, _ tally: inout Tally) {
        var freed: [FreedMemory] = []
        while tally.retriesLeft > 0 {
            freed.append(FreedMemory())
            tally.beginRetry()
            overwriteStack()
            ShapeRun.ask(shape, &tally)
        }
        withExtendedLifetime(freed) {}
    }

    private static func chosen(_ options: RunOptions) -> [Shape] {
        // Only a capture finds objects that nobody traces.
        let named = (options.isHeap ? Shape.all + Shape.untraced : Shape.all).filter { shape in
            options.only.isEmpty || options.only.contains { shape.name.contains($0) || shape.kind == $0 }
        }
        let some = named.enumerated().filter { $0.offset.isMultiple(of: options.every) }.map(\.element)
        guard options.isNonsense else { return options.isStripped ? some.map { $0.withoutNames() } : some }
        let nonsense = StepPattern.global("there is no such variable")
        return some.map { shape in
            var expectation = options.isHeap ? shape.expectation : .held(nonsense)
            expectation.path = [nonsense]
            return Shape(shape.name, expectation, plant: shape.plant)
        }
    }
}
