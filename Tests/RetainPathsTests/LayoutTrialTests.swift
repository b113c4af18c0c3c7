import CRetainPaths
import Dispatch
import Foundation
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Type lookups that could abort the runtime happen only in a copy of the process.
@Suite struct LayoutTrialTests {
    /// Runs the items in copies until no item fails.
    private func run(_ count: Int, _ work: (Int) -> Void) -> (outcome: ResolutionTrial.Outcome, refused: Set<Int>) {
        var refused: Set<Int> = []
        var trial = ResolutionTrial(
            resolver: TypeResolver(), refuse: { refused.insert($0) }, lookUp: { _ in nil })
        let outcome = trial.run { journal in
            for item in 0..<count where !refused.contains(item) {
                journal.setItem(item)
                work(item)
            }
        }
        return (outcome, refused)
    }

    @Test func itemThatCrashesTheTrialIsRefused() {
        let (outcome, refused) = run(8) { item in
            if item == 2 { abort() }
            if item == 5 { UnsafePointer<Int>(bitPattern: 16).map { _ = $0.pointee == 3 ? print("") : () } }
            if item == 6 { fatalError("not to be seen") }
        }
        #expect(outcome == .complete && refused.isSuperset(of: [2, 6]) && refused.isSubset(of: [2, 5, 6]))
    }

    @Test func itemThatHangsTheTrialIsRefused() {
        let (outcome, refused) = run(3) { item in
            // The optimiser knows nothing about this call and therefore keeps the loop.
            while item == 1 { _ = getppid() }
        }
        #expect(outcome == .complete && refused == [1])
    }

    @Test func itemThatWaitsForAHeldLockIsRefused() {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        pthread_mutex_lock(lock)
        defer {
            pthread_mutex_unlock(lock)
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
        var copies = 0
        let tries = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        defer { tries.deallocate() }
        let (outcome, refused) = run(2) { item in
            if item == 1 { pthread_mutex_lock(lock) }
            copies += 1
        }
        #expect(outcome == .complete && refused == [1])
        // Changes in a copy do not affect this process.
        #expect(copies == 0)
    }

    /// Mangled names that make the runtime end the program.
    ///
    /// They were found by fuzzing.
    static let deadlyNames = [
        "7ElementSTQz$2_BV", "xxQp_t", "_$sxxQp_QP", "xQpt", "$2", "7ElementSTQz", "$7_", "7ElementQzIegr_Sg",
        "SiSSIegnr_Si_t", "x", "q_", "SayxG", "qd__", "7Element_8IteratorQZ", "QrQOxQo_",
    ]

    @Test(arguments: deadlyNames)
    func namesThatAbortTheRuntimeDoNotEndTheProgram(_ text: String) {
        let name = LayoutNameTests.name(text)
        // Both with and without the screening of names.
        let compiler = LayoutCompiler()
        for asksUnscreened in [false, true] {
            var trial = ResolutionTrial(resolver: compiler.resolver, refuse: { _ in }, lookUp: { _ in nil })
            func work() {
                if asksUnscreened { _ = compiler.resolver.type(named: name, in: .none) }
                _ = compiler.field(name, in: .none, extent: 24, depth: 0)
            }
            let outcome = trial.run { _ in work() }
            #expect(outcome == .complete)
            compiler.resolver.mode = .program
            work()
        }
        let contents = compiler.field(name, in: .none, extent: 24, depth: 0)
        let isReference = contents.slots.map(\.kind) == [.strong]
        #expect(isReference || contents.isPartlyConservative || contents.size ?? 0 <= 24)
        #expect(compiler.resolver.untriedNames == 0)
    }

    @Test func mutatedMangledNamesDoNotEndTheProgram() {
        let seeds = [
            "SiSg", "SaySiG", "SDySSSiG", "Si_SSt", "SiSSc", "yyYac", "x", "q_", "7ElementQz", "7ElementSTQz", "xxQp_t",
            "yyIeg_", "7ElementQzIegr_", "SSXw", "ypXp", "s5Error_p", "$2_", "s11InlineArrayVy$2_SiG", "SaySayxGG",
            "qd_0_", "s6ResultOySis5Error_pG", "ST_pSi7ElementSTRts_XP", "yXl", "Bb", "SiSgXwz_Xx", "4TypeQzSg", "xm",
            "ScTyxs5Error_pG", "ScA_p", "SiYbc", "10Foundation4DataV", "QrQOxQo_", "SiIetMHgyzo_", "7ElementQyd__",
        ].map { Array($0.utf8) }
        let letters = Array("xq_dySGgtcpmzQZYXIewouKabslSTPORVCABMNrhinkW0123456789$".utf8)
        var random = SystemRandomNumberGenerator()
        func pick<T>(_ items: [T]) -> T { items[Int.random(in: items.indices, using: &random)] }
        let names = (0..<1_000).map { _ in
            var bytes = pick(seeds)
            for _ in 0..<3 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(pick(letters), at: Int.random(in: 0...bytes.count, using: &random))
                case 1 where bytes.count > 1: bytes.remove(at: Int.random(in: bytes.indices, using: &random))
                case 2: bytes[Int.random(in: bytes.indices, using: &random)] = pick(letters)
                default: bytes += pick(seeds)
                }
            }
            return LayoutNameTests.name(String(decoding: bytes, as: UTF8.self))
        }
        let compiler = LayoutCompiler()
        let type = Metadata(of: GenericHolder<Int, [Planted]>.self)
        let contexts = [GenericContext.none, compiler.context(of: type)]
        var trial = ResolutionTrial(resolver: compiler.resolver, refuse: { _ in }, lookUp: { _ in nil })
        func work() {
            for name in names {
                for context in contexts { _ = compiler.field(name, in: context, extent: 16, depth: 0) }
            }
        }
        #expect(trial.run { _ in work() } == .complete)
        compiler.resolver.mode = .program
        work()
        #expect(compiler.resolver.untriedNames == 0)
    }

    @Test func invalidMetadataIsRefusedAndValidIsCompiled() {
        let layouts = TypeLayouts()
        // Memory that begins like class metadata and then contains invalid pointers.
        let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 32)
        memory.initialize(repeating: 0x6_6666_6666_6660, count: 32)
        let metadata = memory + 8
        metadata[0] = 0
        let real = Metadata(of: Position.self).address
        layouts.compile(metadata: [UInt(bitPattern: metadata), real])
        let table = layouts.table
        #expect(table.map { rp_find_layout($0, UInt(bitPattern: metadata)) } ?? 0 != 0)
        #expect(layouts.statistics.refusedItems == 1)
        let layout = table.map { $0.pointee.layouts[Int(rp_find_layout($0, real))] }
        #expect(layout?.slot_count == 1 && layout?.flags == 0)
        memory.deallocate()
    }

    @Test func noTypeIsRefusedWhileOtherThreadsAllocate() {
        let isStopping = Locked(false)
        let running = DispatchGroup()
        for number in 0..<4 {
            running.enter()
            Thread.detachNewThread {
                var kept: [String] = []
                while !isStopping.withLock({ $0 }) {
                    kept.append(String(repeating: "text of thread \(number)", count: kept.count % 40))
                    if kept.count > 200 { kept.removeAll() }
                }
                running.leave()
            }
        }
        let types: [Any.Type] = [
            Plain.self, Enums.self, Existentials.self, Uncopied.self, GenericHolder<Int, [Planted]>.self,
            PackHolder<Int, Planted>.self, GenericMutexHolder<[Position?]>.self, NotificationCenter.self,
        ]
        for _ in 0..<5 {
            let layouts = TypeLayouts()
            layouts.compile(metadata: types.map { Metadata(of: $0).address })
            let statistics = layouts.statistics
            // If a copy hangs on a lock of the allocator, a new copy replaces it, and no type is refused.
            #expect(statistics.refused == 0 && statistics.refusedItems == 0 && statistics.untried == 0)
            #expect(statistics.types == types.count)
        }
        isStopping.withLock { $0 = true }
        running.wait()
    }

    @Test func repeatedTrialsLeakNoDescriptorsOrChildren() async {
        // The test runs in its own process, because other tests have descriptors and children, too.
        await #expect(processExitsWith: .success) {
            func descriptors() throws -> Set<String> {
                Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))
            }
            let before = try descriptors()
            for round in 0..<200 {
                var isRefused = false
                var trial = ResolutionTrial(
                    resolver: TypeResolver(), refuse: { _ in isRefused = true }, lookUp: { _ in nil })
                let outcome = trial.run { journal in
                    journal.setItem(0)
                    if round.isMultiple(of: 10), !isRefused { abort() }
                }
                guard outcome == .complete, isRefused == round.isMultiple(of: 10) else { exit(3) }
            }
            let after = try descriptors()
            // The process that runs the test opens some descriptors of its own, but not one per round.
            guard after.count < before.count + 20 else { exit(4) }
            // __WALL selects children of any kind.
            var status: Int32 = 0
            guard waitpid(-1, &status, WNOHANG | 0x4000_0000) == -1, errno == ECHILD else { exit(5) }
        }
    }
}

extension ResolutionTrial.Outcome: Equatable {
    /// Whether two trials have the same outcome.
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.complete, .complete), (.unavailable, .unavailable): true
        case (.exhausted(let one), .exhausted(let other)): one == other
        default: false
        }
    }
}
