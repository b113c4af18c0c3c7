/// A workload, with the id under which its figures are written.
public struct Workload: Sendable {
    /// A short id without spaces.
    public let id: String
    /// The title for people.
    public let title: String

    /// All workloads of the benchmarks and of `Scripts/bench`, in the order of the tables.
    public static let all = [
        Workload(id: "pair", title: "init and deinit, 1 thread, nothing else live"),
        Workload(id: "ring", title: "init and deinit in a ring of 1,024 live objects, 1 thread"),
        Workload(id: "ring-2", title: "the same, 2 threads, each its own objects"),
        Workload(id: "ring-8", title: "the same, 8 threads, each its own objects"),
        Workload(id: "handover-2", title: "2 threads, objects die on another thread, handed over 64 at a time"),
        Workload(id: "handover-8", title: "8 threads, objects die on another thread, handed over 64 at a time"),
        Workload(id: "exchange-2", title: "2 threads, objects die on another thread, each exchanged by itself"),
        Workload(id: "exchange-8", title: "8 threads, objects die on another thread, each exchanged by itself"),
        Workload(id: "cold", title: "random deaths among 100,000 live, 1 thread"),
        Workload(id: "stacks", title: "init and deinit with a creation stack of 16 frames and more, 1 thread"),
        Workload(id: "off", title: "init and deinit while tracing is switched off, 1 thread"),
        Workload(id: "scope", title: "init and deinit with registries in scope, 1 thread"),
        Workload(id: "deadlines", title: "init and deinit while 100,000 deadlines are pending, 1 thread"),
        Workload(id: "check", title: "one check() with 100,000 deadlines pending"),
        Workload(id: "deadline-death", title: "deinit alone, of an object with a pending deadline of its own"),
        Workload(id: "snapshot", title: "a snapshot of 1,000,000 live while two threads churn"),
        Workload(id: "longest-pair", title: "the longest pair that the two threads saw"),
        Workload(id: "memory", title: "bytes an instance beyond the object, of 1,000,000 live"),
        Workload(id: "allocations", title: "calls of malloc an object, of 10,000 kept"),
        Workload(id: "instructions", title: "instructions of an init and deinit (callgrind)"),
        Workload(id: "pair.debug", title: "debug build: init and deinit, 1 thread, nothing else live"),
        Workload(id: "ring.debug", title: "debug build: init and deinit in a ring of 1,024 live objects, 1 thread"),
        Workload(id: "process", title: "a whole process of 1,000,000 pairs, and outside tools on the bare one"),
        Workload(id: "run-pair", title: "an unprepared program under run: init and deinit, 1 thread"),
        Workload(id: "run-ring", title: "the same in a ring of 1,024 live objects, 1 thread"),
        Workload(id: "run-retain", title: "the same: retain and release"),
        Workload(id: "run-memory", title: "the same: more bytes of peak memory an object, of 1,000,000 live"),
        Workload(id: "run-start", title: "the same: a program that prints a line, from start to exit"),
        Workload(id: "leak-free-test", title: "a leak-free test that passes, over the bare test"),
        Workload(id: "release-wait", title: "expectReleased, from the deinit to its return"),
        Workload(
            id: "http", title: "CPU time of a request; 10,000 instances of 20 types are live, 200 of them overdue"),
        Workload(
            id: "http-hold",
            title: "CPU time of the server's thread for a request; 8,191 types, 1,000,000 live, 100,000 overdue"),
        Workload(id: "http-busy", title: "the server's share of a processor for an open page; 8,191 types"),
        Workload(id: "http-bytes", title: "the bodies of these responses"),
        Workload(id: "page-picture", title: "the first useful picture of the page on loopback, nothing cached"),
        Workload(
            id: "page-busy", title: "the page's main thread, 10,000 types and 1,000,000 instances, a tick a second"),
        Workload(id: "page-heap", title: "growth of the page's heap in an hour, after garbage collection"),
        Workload(id: "scenario", title: "a scenario of the demo, from its start to its last verdict"),
    ]

    /// The title of a workload, or its id if the workload is not in ``all``.
    public static func title(of id: String) -> String {
        all.first { $0.id == id }?.title ?? id
    }
}
