import Dispatch
import Distributed
import Observation

/// Objects of kinds that the language has had since Swift 5.7.
enum Recent {
    static func visitAll() async {
        visit("Packed<Pack{Swift.Int, Swift.String}>") { Packed($0, "\($0)") }
        visit("Owner<ClassZooKinds.Unique>") { Owner(Unique(number: $0)) }
        visit("Macroed") {
            let it = Macroed()
            it.number = $0
            return it
        }
        // The system of a distributed actor keeps it, and it keeps the system.
        for _ in 0..<5 { show(Remote(actorSystem: LocalTestingDistributedActorSystem())) }
        expected.append(("Remote", 5, 5))
        await onExecutors()
    }

    /// Actors with an executor of their own, and objects whose deinit runs on an actor.
    private static func onExecutors() async {
        var sum = 0
        for number in 0..<5 {
            let actor = OnQueue()
            sum += await actor.add(number)
            if number > 2 { kept.append(actor) }
        }
        expected += [("OnQueue", 5, 2), ("QueueExecutor", 5, 2)]
        let log = ActorLog()
        for _ in 0..<5 { show(Leaving(log)) }
        expected += [("Leaving", 5, 0), ("ActorLog", 1, 1)]
        kept.append(log)
        show(Generic(sum))
        expected.append(("Generic<Swift.Int>", 1, 0))
    }
}

final class Packed<each Value> {
    let values: (repeat each Value)
    init(_ values: repeat each Value) { self.values = (repeat each values) }
}
struct Unique: ~Copyable { var number: Int }
final class Owner<Value: ~Copyable> {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}
@Observable final class Macroed { var number = 1 }
distributed actor Remote {
    typealias ActorSystem = LocalTestingDistributedActorSystem
}
final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "QueueExecutor")

    func enqueue(_ job: UnownedJob) {
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
actor OnQueue {
    private let executor = QueueExecutor()
    private var number = 1
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func add(_ other: Int) -> Int {
        number += other
        return number
    }
}
actor ActorLog { var lines = 0 }
actor Leaving {
    private let log: ActorLog
    private var number = 1
    init(_ log: ActorLog) { self.log = log }
    isolated deinit { number += 1 }
}
