import Foundation
import RetainPaths
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The hooks of allocations in a program with classes of many kinds that does not link the library.
///
/// `Scripts/test --release` runs the same tests with an optimised program.
@Suite(.timeLimit(.minutes(20))) struct ClassZooTests {
    /// Also where malloc maps memory of its own for each block.
    @Test(arguments: ["", "glibc.malloc.mmap_threshold=1:glibc.malloc.mmap_max=60000"])
    func everyKindOfClassIsCountedExactly(tunables: String) async throws {
        try await expectExactCounts(of: ClassZooRun(environment: ["GLIBC_TUNABLES": tunables]))
    }

    /// Without symbols, classes are still known by the runtime's own tables.
    @Test func classesOfAStrippedProgramAreCountedExactly() async throws {
        let program = FileManager.default.temporaryDirectory.appending(path: "stripped-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: program) }
        let strip = try ProgramRun(
            ["llvm-objcopy", "--strip-all", Builds.classZoo.path, program.path], of: URL(filePath: "/usr/bin/env"))
        #expect(try await strip.exitStatus() == 0, "\(strip.standardError)")
        try await expectExactCounts(of: ClassZooRun(program: program))
    }

    private func expectExactCounts(of zoo: ClassZooRun, besides others: Set<String> = []) async throws {
        let (expected, seen) = (zoo.expected, try await zoo.counts())
        #expect(expected.count >= 40)
        for (name, counts) in expected { #expect(seen[name, default: ClassZooRun.Counts()] == counts, "\(name)") }
        // The objects of OnStack are on the heap or on the stack, as the optimiser decides.
        let more = Set(seen.keys).subtracting(expected.keys).subtracting(["OnStack"]).subtracting(others)
        #expect(more.isEmpty, "closures, boxes and classes of others are not counted: \(more)")
    }

    @Test(arguments: [false, true]) func programTracesItsOwnClasses(underRun: Bool) async throws {
        let zoo = try await ClassZooRun(linked: [], underRun: underRun)
        try await expectExactCounts(of: zoo)
        #expect(!zoo.run.lines.contains { $0.hasPrefix("refused") })
        let health: ClassZooRun.Health = try await zoo.get("/healthz")
        #expect(health.classes?.traced == true && health.classes?.unknownDeaths == 0)
    }

    @Test func programLearnsWhyItsClassesAreNotTraced() async throws {
        let zoo = try await ClassZooRun(linked: [], environment: ["LD_PRELOAD": "libc_malloc_debug.so.0"])
        let line =
            "refused: the program's classes are not traced: another library has replaced malloc; "
            + "Documentation/AnyProgram.md explains which programs can be traced"
        #expect(zoo.run.lines.filter { $0 == line }.count == 2, "both calls")
        #expect(try await Set(zoo.counts().keys) == ["SelfRecording", "TokenHolder"])
        let health: ClassZooRun.Health = try await zoo.get("/healthz")
        #expect(health.classes?.reason == "another library has replaced malloc")
    }

    /// Older objects are ignored, and threads that create objects during the start lose no death.
    @Test(arguments: 1...5) func programTracesItsClassesFromALateStartOn(_ repetition: Int) async throws {
        let zoo = try await ClassZooRun(linked: ["late"])
        let (seen, busy) = (try await zoo.counts(), ["Busy", "BusyActor"])
        try await expectExactCounts(of: zoo, besides: Set(busy))
        for name in busy {
            let counts = seen[name] ?? ClassZooRun.Counts()
            #expect(counts.live == 0 && counts.born > 0 && counts.born == counts.died, "\(name): \(counts)")
        }
        let health: ClassZooRun.Health = try await zoo.get("/healthz")
        #expect(health.classes?.traced == true)
        #expect(health.classes?.unknownDeaths ?? 0 >= 3, "three of the older objects")
    }

    @Test(arguments: [false, true]) func forksWhileThreadsCreateObjectsKeepCountsExact(isLinked: Bool) async throws {
        let words = ["fork", "50"]
        let zoo = isLinked ? try await ClassZooRun(linked: words) : try await ClassZooRun(words: words)
        #expect(zoo.run.lines.contains("children that failed: 0"))
        try await expectExactCounts(of: zoo)
    }

    /// A library that is loaded later, and others that come and go.
    @Test(arguments: [false, true]) func classesOfALibraryThatIsLoadedLaterAreCountedExactly(
        isLinked: Bool
    ) async throws {
        let guest = try GuestLibrary()
        let words = ["load", guest.path]
        let zoo = isLinked ? try await ClassZooRun(linked: words) : try await ClassZooRun(words: words)
        #expect(zoo.expected["Guest"] == ClassZooRun.Counts(born: 30, live: 18, died: 12), "\(zoo.run.standardOutput)")
        try await expectExactCounts(of: zoo)
        let health: ClassZooRun.Health = try await zoo.get("/healthz")
        #expect(health.classes?.images == 2, "the program and the library")
    }

    @Test func healthStatesWhatIsTraced() async throws {
        let zoo = try await ClassZooRun()
        let health: ClassZooRun.Health = try await zoo.get("/healthz")
        let classes = try #require(health.classes)
        #expect(classes.traced && classes.reason == nil)
        #expect(classes.images > 0 && classes.refusedImages == 0)
        #expect(classes.unknownDeaths == 0)
        let onHeap = try await zoo.counts()["OnStack"]?.born ?? 0
        #expect(onHeap + classes.stackInstances == 1000, "the objects of OnStack are on the heap or on the stack")
        #if DEBUG
        #expect(classes.stackInstances == 0)
        #else
        #expect(classes.stackInstances > 0, "the optimiser places them on the stack")
        #endif
    }

    @Test(arguments: [false, true]) func rulesApplyToClassesWithoutAChangeOfTheProgram(isLinked: Bool) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let rules = """
            {"types": [{"pattern": "ClassZooKinds.Generic*", "leaveOut": true}, {"pattern": "Final", "budget": 0},
                       {"pattern": "Keeper", "maximumAgeSeconds": 0}, {"pattern": "ClassZooKinds.Absent", "budget": 1}],
             "groups": [{"name": "bases", "patterns": ["*.Base", "ClassZooKinds.Middle"], "budget": 0}]}
            """
        try Data(rules.utf8).write(to: file)
        let environment = ["LIFETIME_TRACER_RULES": file.path]
        let zoo =
            isLinked
            ? try await ClassZooRun(linked: [], environment: environment)
            : try await ClassZooRun(["--rules", file.path])
        let (expected, seen) = (zoo.expected, try await zoo.counts())
        for (name, counts) in expected {
            #expect(seen[name] == (name.hasPrefix("Generic") ? nil : counts), "\(name)")
        }
        let kinds: RuledKinds = try await zoo.get("/api/v1/types?limit=500")
        let byName = Dictionary(kinds.types.map { ($0.name, $0) }) { first, _ in first }
        #expect(byName["Final"]?.budget == 0 && byName["Final"]?.overBudget == true)
        #expect(byName["Base"]?.group == "bases" && byName["Middle"]?.group == "bases")
        #expect(byName["Leaf"]?.group == nil && byName["Leaf"]?.budget == nil)
        #expect(byName["Keeper"]?.maximumAgeSeconds == 0)
        #expect(kinds.groups.map(\.name) == ["bases"] && kinds.groups.first?.overBudget == true)
        let overdue: Int = try await eventually("a keeper is overdue") {
            let kinds: RuledKinds = try await zoo.get("/api/v1/types?limit=500")
            let count = kinds.types.first { $0.name == "Keeper" }?.verdicts.overdue
            return count == expected["Keeper"]?.live ? count : nil
        }
        #expect(overdue > 0)
        let health: RuledHealth = try await zoo.get("/healthz")
        let unruled = isLinked ? try await ClassZooRun(linked: []) : try await ClassZooRun()
        let all: RuledHealth = try await unruled.get("/healthz")
        let leftOut = try #require(health.rules?.leftOutTypes)
        #expect(leftOut >= 4 && health.classes.classes + leftOut == all.classes.classes, "the hooks leave them out")
        #expect(health.rules?.file == file.path && health.rules?.unmatched == ["ClassZooKinds.Absent"])
        #expect(health.rules?.types == 4 && all.rules == nil)
    }

    private struct RuledHealth: Decodable {
        struct Rules: Decodable {
            let file: String?
            let types: Int
            let leftOutTypes: Int
            let unmatched: [String]
        }
        struct Classes: Decodable { let classes: Int }
        let rules: Rules?
        let classes: Classes
    }

    private struct RuledKinds: Decodable {
        struct Kind: Decodable {
            struct Verdicts: Decodable { let overdue: Int }
            let name: String
            let budget: Int?
            let overBudget: Bool
            let maximumAgeSeconds: Double?
            let group: String?
            let verdicts: Verdicts
        }
        struct Group: Decodable {
            let name: String
            let overBudget: Bool
        }
        let types: [Kind]
        let groups: [Group]
    }

    @Test func optionLeavesClassesUntraced() async throws {
        let zoo = try await ClassZooRun(["--no-classes"])
        #expect(try await zoo.counts().isEmpty)
        let health: ClassZooRun.Health = try await zoo.get("/healthz")
        #expect(health.classes?.traced == false)
        #expect(health.classes?.reason == "the program was started without them")
    }

    /// glibc's own library for debugging replaces malloc, as other allocators and sanitizers do.
    @Test func otherAllocatorLeavesClassesUntraced() async throws {
        let zoo = try await ClassZooRun(environment: ["LD_PRELOAD": "libc_malloc_debug.so.0"])
        #expect(try await zoo.counts().isEmpty)
        let health: ClassZooRun.Health = try await zoo.get("/healthz")
        #expect(health.classes?.traced == false)
        #expect(health.classes?.reason == "another library has replaced malloc")
    }

    @Test func creationStacksNameTheProgramsFunctions() async throws {
        let zoo = try await ClassZooRun(["--stacks"])
        let instance: Detail = try await zoo.get("/api/v1/instances/\(zoo.firstInstance(of: "Keeper"))")
        let frames = try #require(instance.creationStack)
        #expect(frames.contains { $0.function.contains("Uncounted.") }, "\(frames)")
        #expect(frames.first?.module == "class-zoo", "the agent's own frames are left out: \(frames)")
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func retainPathsAreFoundWithAndWithoutATrailer() async throws {
        let zoo = try await ClassZooRun()
        let holders = [
            ("Keeper", "kept"), ("Ring", "Ring.next"), ("Actor", "kept"),
            ("Buffer", "kept"), ("LargeBuffer", "kept"), ("PointerBuffer", "kept"), ("Enormous", "kept"),
        ]
        for (name, holder) in holders {
            let id = try await zoo.firstInstance(of: name)
            let text: String = try await eventually("the holder of a \(name) has been found") {
                let path: Path = try await zoo.get("/api/v1/instances/\(id)/retain-path")
                return path.text
            }
            #expect(text.contains(holder), "\(text)")
        }
    }

    private struct Detail: Decodable {
        let creationStack: [Wire.Stacks.Frame]?
    }

    private struct Path: Decodable {
        let text: String?
    }
}
