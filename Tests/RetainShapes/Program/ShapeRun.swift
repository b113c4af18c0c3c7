import Dispatch
import LifetimeTracer
import Patience
import RetainPaths
import RetainShapes

/// Plants shapes, searches for their retain paths, compares the answers, and removes the shapes.
@MainActor enum ShapeRun {
    /// Searches for the retain paths of one shape.
    @inline(never)
    static func ask(_ shape: Shape, _ tally: inout Tally) {
        // A shape that ends by itself may have ended before its search.
        if shape.expires, ExpiryDelay.withLongerDelays({ ask(shape, &tally, onlyIfItLasts: true) }) { return }
        _ = ask(shape, &tally, onlyIfItLasts: false)
    }

    /// - Returns: Whether the outcome counts. With `onlyIfItLasts`, it does not count if the instance died too early.
    private static func ask(_ shape: Shape, _ tally: inout Tally, onlyIfItLasts: Bool) -> Bool {
        let planted = plant(shape)
        var mistakes = livingMistakes(planted)
        // The frames of the search would otherwise contain addresses that this check used.
        overwriteStack()
        let clock = ContinuousClock()
        let start = clock.now
        var answer: RetainExplanation?
        if tally.options.isHeap, mistakes.isEmpty {
            mistakes += HeapShapeRun.mistakes(shape, &tally).map { $0 + holders(of: planted) }
        } else if !tally.options.isPlantOnly, mistakes.isEmpty {
            switch question(planted.instances + planted.others, in: planted.registry) {
            case .success(let report):
                tally.note(report.cost)
                answer = report.explanations.first
                mistakes += answer.map(shape.expectation.mismatches) ?? ["there is no explanation"]
            case .failure(let error): mistakes.append("the question failed: \(error)")
            }
        }
        let cost = clock.now - start
        if onlyIfItLasts, !planted.isLive { return false }
        let leftovers = undoMistakes(planted)
        if onlyIfItLasts, leftovers == [diedEarly] { return false }
        mistakes += leftovers
        tally.add(shape, mistakes: mistakes, answer: answer, milliseconds: cost / .milliseconds(1))
        return true
    }

    /// Plants shapes in the shared registry, searches for all of them with one question, and removes them one after the
    /// other.
    ///
    /// Shapes can share variables; of those, only the first shape takes part.
    static func askTogether(_ shapes: [Shape], _ tally: inout Tally) {
        var asked: [(shape: Shape, planted: Planted)] = []
        var taken: Set<String> = []
        for shape in shapes where shape.canStandBesideOthers && taken.isDisjoint(with: shape.variables) {
            taken.formUnion(shape.variables)
            asked.append((shape, plant(shape)))
        }
        let result = question(asked.flatMap(\.planted.instances), in: .shared)
        for (index, (shape, planted)) in asked.enumerated() {
            var mistakes: [String] = []
            var answer: RetainExplanation?
            switch result {
            case .success(let report):
                answer = report.explanations[index]
                mistakes += shape.expectation.mismatches(with: report.explanations[index])
            case .failure(let error): mistakes.append("the question failed: \(error)")
            }
            mistakes += undoMistakes(planted)
            tally.add(shape, mistakes: mistakes, answer: answer, milliseconds: 0)
        }
    }

    @inline(never)
    private static func plant(_ shape: Shape) -> Planted {
        let planted = farDownTheStack(shape.plant)
        overwriteStack()
        return planted
    }

    /// Searches on another thread while this thread is blocked.
    private static func question(
        _ instances: [InstanceID], in registry: LifetimeRegistry
    ) -> Result<RetainReport, any Error> {
        let answered = DispatchSemaphore(value: 0)
        let result = Locked<Result<RetainReport, any Error>?>(nil)
        Task.detached {
            do {
                var options = RetainPaths.Options()
                options.timeout = Patience.limit
                options.libraryModules = ["RetainShapesLibraries"]
                let report = try await RetainPaths.explain(instances, in: registry, options: options)
                result.withLock { $0 = .success(report) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            answered.signal()
        }
        answered.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("it was signalled when it was set") }
        return result
    }

    private static let diedEarly = "it died before its holder was taken away"

    private static func livingMistakes(_ planted: Planted) -> [String] {
        planted.isLive ? [] : ["it did not live when it was planted"]
    }

    /// Removes the planted references.
    ///
    /// The instance must then die; otherwise another reference held it.
    @inline(never)
    private static func undoMistakes(_ planted: Planted) -> [String] {
        guard let instance = planted.instance else { return undoUntraced(planted) }
        let died = DispatchSemaphore(value: 0)
        guard planted.registry.onDeath(of: instance, { died.signal() }) != nil else {
            return [diedEarly]
        }
        farDownTheStack(planted.undo)
        overwriteStack()
        guard died.wait(timeout: .now() + .seconds(Patience.seconds)) == .success else {
            return ["it did not die when its holder was taken away" + holders(of: planted)]
        }
        return []
    }

    /// Removes the references to objects that nobody traces, which die at once.
    private static func undoUntraced(_ planted: Planted) -> [String] {
        farDownTheStack(planted.undo)
        overwriteStack()
        return PlainObject.live == 0 ? [] : ["\(PlainObject.live) objects did not die"]
    }

    /// The answer for a planted instance, to be told with a mistake.
    private static func holders(of planted: Planted) -> String {
        guard planted.instance != nil,
            case .success(let report) = question(planted.instances, in: planted.registry)
        else { return "" }
        return report.explanations.map { "\n" + $0.wording }.joined()
    }
}

extension Planted {
    /// The leaked instance, if it is traced.
    fileprivate var instances: [InstanceID] { instance.map { [$0] } ?? [] }

    /// Whether the leaked instance, or an object that nobody traces, is live.
    @MainActor fileprivate var isLive: Bool {
        instance.map { registry.carriedWords(of: [$0]) != [nil] } ?? (PlainObject.live > 0)
    }
}

extension RetainReport: LockedState {}
