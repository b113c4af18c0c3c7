#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The facts about the process that are gathered before it is copied.
@Suite(.disabledUnderSanitizers) struct EngineProcessTests {
    @Test(
        arguments: [
            ("$s3try5StoreO5countSivpZ", true), ("$s3try5StoreO2idSOvp", true),
            ("$s3try5StoreO7pointerSvSgvpZ.0", true), ("$s3try5StoreO7pointerSvSgvpZ", false),
            ("$s3try5StoreO9unmanageds9UnmanagedVyAA4LeafCGSgvpZ", true), ("$sSay3try4LeafCGMD", true),
            ("$s3try4LeafCMf", true), ("$s3try4LeafCML", true), ("_ZN5swift8metadata5cacheE", true),
            ("CFBasicHashCallBackPtrs", true),
            ("$s3try5StoreO6sharedAA4LeafCvpZ", false), ("$s3try6globalSay3try4LeafCGvp", false),
            ("$s3try5StoreO6unsafeSays9UnmanagedVyAA4LeafCGGvpZ", false), ("_ZL5cache", false), ("main", false),
            ("", false),
        ])
    func variablesWithoutReferencesAreRecognizedByName(name: String, holdsNothing: Bool) {
        #expect(Array(name.utf8).withUnsafeBytes { VariableNames.holdNothing($0) } == holdsNothing)
    }

    @Test func cppVariableOfSwiftRuntimeHoldsNoReference() {
        let name = Array("_ZL13TypeNameCache".utf8)
        #expect(name.withUnsafeBytes { VariableNames.holdNothing($0, isInRuntime: true) })
        // A static program may have variables of C++ itself, which cannot be told from those of the runtime.
        #expect(name.withUnsafeBytes { VariableNames.kind(of: $0, isBesideRuntime: true) } == .ofRuntime)
    }

    /// The runtime's pool for metadata is known, because its unused part may contain arbitrary words.
    @Test func metadataPoolOfSwiftRuntimeIsLocated() throws {
        let variable = try #require(UnsafeRawPointer(bitPattern: rp_learn_process_facts().metadata_pool))
        let (begin, left) = (variable.load(as: UInt.self), variable.load(fromByteOffset: 8, as: UInt.self))
        #expect(begin > 4_096 && left <= 16_384)
    }

    @Test func processImageContainsGlobalVariable() throws {
        let image = try ProcessImage.current()
        #expect(!image.data.isEmpty)
        #expect(image.allocatorData.start < image.allocatorData.end)
        #expect(zip(image.excluded, image.excluded.dropFirst()).allSatisfy { $0.end < $1.start })
        #expect(image.excluded.allSatisfy { $0.start < $0.end })
        withUnsafePointer(to: &planted) { pointer in
            let address = UInt(bitPattern: pointer)
            #expect(image.data.contains { $0.range.start <= address && address < $0.range.end })
            #expect(!image.excluded.contains { $0.start <= address && address < $0.end })
        }
    }

    @Test func aThreadThatWaitsHasAStackPointer() async throws {
        let waiting = try ThreadStacks().threads
        #expect(waiting.contains { $0.id == getpid() })
        // At least one thread is waiting, for example the main thread.
        #expect(waiting.contains { $0.stack_pointer > 0x1000 })
        #expect(ThreadStacks.name(of: getpid())?.isEmpty == false)
        #expect(ThreadStacks.name(of: -1) == nil)
    }

    private static func thread(_ id: Int32, stackPointer: UInt) -> rp_thread {
        var thread = rp_thread()
        thread.id = id
        thread.stack_pointer = stackPointer
        return thread
    }

    @Test(arguments: [(1, 2), (3, 4), (9, 4)])
    func threadsAreReadAgainWhileAnotherRuns(runsFor: Int, looks: Int) throws {
        var made = 0
        func look() -> ThreadStacks {
            made += 1
            return ThreadStacks(threads: [
                Self.thread(rp_thread_number(), stackPointer: 0),
                Self.thread(1, stackPointer: made > runsFor ? 0x1000 : 0),
            ])
        }
        _ = try ThreadStacks.settled(beforeLookingAgain: {}, look)
        #expect(made == looks)
    }

    @Test func factsAreTheSameOnEveryThread() async {
        let here = rp_learn_process_facts()
        let there = await Task.detached { rp_learn_process_facts() }.value
        #expect(here.thread_id_offset != 0 && here.thread_id_offset == there.thread_id_offset)
        #expect(here.thread_local_size > 0)
        #expect(here.task_slab_metadata != 0 && here.task_size != 0)
        #expect(here.task_starters.0 != 0 && here.task_starters.1 != 0)
        #expect(here.accesses_offset != 0 && here.accesses_offset == there.accesses_offset)
        let library = here.concurrency_library
        #expect((library.start..<library.end).contains(here.task_slab_metadata))
        #expect((library.start..<library.end).contains(here.task_starters.0))
    }

    /// In a static program, the loader does not tell where libdispatch's variables are.
    ///
    /// The tests are dynamic, so both ways must agree.
    @Test func dispatchVariablesAreFoundByTheNumberOfTheThread() async {
        let facts = rp_learn_process_facts()
        #expect(facts.dispatch_offset != 0)
        #expect(rp_find_dispatch_variables(facts.thread_local_size) == facts.dispatch_offset)
        let there = await Task.detached { rp_find_dispatch_variables(facts.thread_local_size) }.value
        #expect(there == facts.dispatch_offset)
    }

    /// Without the mark, the search would treat blocks in malloc's cache as used.
    @Test func markOfCachedMallocBlocksIsDetected() async throws {
        _ = try await Engine.findings([~UInt64(0)])
        let first = HeapSearch.cacheMark
        _ = try await Engine.findings([~UInt64(0)])
        #expect(first != 0 && HeapSearch.cacheMark == first)
    }

    @Test func selfCheckDetectsWrongAnswer() async throws {
        let planted = PlantedObjects()
        defer { planted.undo() }
        let answer = try await HeapAnswer.search(.addresses(planted.targets), by: [], options: Engine.patient)
        #expect(planted.difference(in: answer) == nil)
        func broken(_ change: (inout HeapAnswer) -> Void) -> String? {
            var wrong = answer
            change(&wrong)
            return planted.difference(in: wrong)
        }
        #expect(broken { $0.findings.removeLast() } != nil)
        #expect(broken { $0.findings[0].status = .notFound } != nil)
        #expect(broken { $0.findings[0].precise = 2 } != nil)
        #expect(broken { $0.findings[0].holders = [] } != nil)
        #expect(broken { $0.findings[1].status = .reachable } != nil)
        func freed(as status: HeapAnswer.Finding.Status, size: Int) -> String? {
            broken { answer in
                for index in answer.findings.indices.dropFirst(2) {
                    answer.findings[index].status = status
                    answer.findings[index].size = size
                }
            }
        }
        #expect(freed(as: .noRootFound, size: PlantedObjects.freeBlockSize) != nil)
        // malloc has reused the memory, so the finding is no contradiction.
        #expect(freed(as: .noRootFound, size: 48) == nil)
    }

    @Test func selfCheckTargetsAreSeparatedFromTheAnswer() async throws {
        let planted = PlantedObjects()
        defer { planted.undo() }
        let keeper = EngineLeaf()
        keeper.next = EngineLeaf()
        let leaf = try #require(keeper.next)
        let words = HeapQuestion.Targets.addresses([Engine.inverted(keeper), Engine.inverted(leaf)])
        let answer = try await HeapAnswer.search(words.behind(planted.targets), by: [], options: Engine.patient)
        #expect(planted.difference(in: answer) == nil)
        let rest = answer.withoutFirst(planted.targets.count)
        #expect(rest.findings.map(\.address) == words.addresses.map { UInt(~$0) })
        // The index of a culprit refers to the question.
        var shifted = answer
        shifted.findings[planted.targets.count + 1].culprit = planted.targets.count
        shifted.findings[planted.targets.count].culprit = 0
        #expect(shifted.withoutFirst(planted.targets.count).findings.map(\.culprit) == [nil, 0])
        withExtendedLifetime((keeper, leaf)) {}
    }

    @Test func targetsByAddressAndByCarriedWordAreFoundInOneSearch() async throws {
        let registry = LifetimeRegistry()
        let traced = registry.withCurrent { TracedObject() }
        let leaf = EngineLeaf()
        let words = registry.carriedWords(of: [traced.lifetimeID]).compactMap(\.self)
        let targets = HeapQuestion.Targets.carriedWords(words + [.max]).behind([Engine.inverted(leaf)])
        let findings = try await HeapAnswer.search(targets, by: [], options: Engine.patient).findings
        #expect(
            findings.map(\.address) == [leaf as AnyObject, traced].map {
                UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())
            } + [0])
        #expect(targets.batches(of: 2).map(\.inverted) == [Array(targets.inverted.prefix(2)), [.max]])
        #expect(targets.batches(of: 2).map(\.addresses.count) == [1, 0])
        #expect(HeapQuestion.Targets.carriedWords([]).batches(of: 4).map(\.count) == [0])
        withExtendedLifetime((leaf, traced)) {}
    }

    @Test func retainPathSearchIsAvailable() async {
        #expect(await RetainPaths.availability() == .available)
    }
}

// Safe because only one test accesses this variable, and only through its address.
private nonisolated(unsafe) var planted: EngineLeaf?
#endif
