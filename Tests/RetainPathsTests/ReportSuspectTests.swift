import LifetimeTracer
import Testing
import TracerBase

@testable import RetainPaths

/// The choice of the suspect, on paths from roots and in cycles.
@Suite struct ReportSuspectTests: JudgesPaths {
    let heap = MadeUpHeap()

    @Test func growingContainerIsSuspectAndGetsHint() throws {
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "recent"), heap.array(4), heap.end("Demo.Screen"),
        ]
        let (pattern, text, suspect) = try judge(steps)
        #expect(pattern == .growingContainer)
        #expect(
            text
                == "Hub.recent keeps Screen until the program removes it. Remove Screen when it is no longer needed, "
                + "or store only the needed values, such as an id or a title.")
        #expect(suspect == ".recent[4]")
        let global = try judge([heap.root(Mangled.cache), heap.array(4), heap.end("Demo.Screen")])
        #expect(global.pattern == .growingContainer)
        #expect(global.text.hasPrefix("global cache keeps Screen until"))
        // The container holds its element and, through it, everything that the element holds.
        let below = try judge([
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "recent"), heap.array(4),
            heap.object("Demo.Flow", "screen"),
            heap.end("Demo.Screen"),
        ])
        #expect(below.suspect == ".recent[4]")
        #expect(below.text.hasPrefix("Hub.recent keeps Flow until"))
        // A property is not a container.
        let property = try judge([
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "current"), heap.end("Demo.Screen"),
        ])
        #expect(property.pattern == nil)
        #expect(property.suspect == ".current")
        #expect(try judge([heap.root(Mangled.cache), heap.end("Demo.Screen")]).suspect == "global cache")
    }

    @Test func linkOfAListIsSuspectBeforeTheCollectionOfItsElements() throws {
        let start = [heap.root(Mangled.hubShared), heap.object("Demo.Hub", "entries"), heap.dictionary(.signed(3))]
        func list(_ link: String, to type: String = "Demo.Entry") throws -> (RetainHint.Pattern?, String, String?) {
            let links = [heap.object("Demo.Entry", link), heap.object("Demo.Entry", link), heap.object(type, "screen")]
            return try judge(start + links + [heap.end("Demo.Screen")])
        }
        let (pattern, text, suspect) = try list("next")
        #expect(pattern == .growingContainer)
        #expect(suspect == "Entry.next")
        #expect(
            text == "Entry.next keeps Entry, an element of a linked list, until the program unlinks it. Unlink Entry "
                + "when Screen is no longer needed.")
        #expect(try list("newer").2 == "Entry.newer")
        // Other references between objects of one type are no list, and neither are those to other types.
        #expect(try list("parent").2 == ".entries[3]")
        #expect(try list("next", to: "Demo.Page").2 == "Entry.next")
        let other = [heap.object("Demo.Entry", "next"), heap.object("Demo.Page", "a"), heap.end("Demo.Screen")]
        #expect(try judge(start + other).suspect == ".entries[3]")
    }

    @Test func bufferWithElementsIsSuspectLikeACollection() throws {
        let buffer = heap.object("Demo.Ring").with { $0.index = 2 }
        let steps = [heap.root(Mangled.hubShared), heap.object("Demo.Hub", "rings"), heap.array(1), buffer]
        let (pattern, text, suspect) = try judge(steps + [heap.end("Demo.Screen")])
        #expect(suspect == "Ring[2]")
        #expect(pattern == .growingContainer)
        #expect(text.hasPrefix("Ring keeps Screen until the program removes it."))
        // Whether a place is in use must be certain.
        let guess = buffer.with { $0.isPrecise = false }
        #expect(try judge(steps.dropLast() + [guess, heap.end("Demo.Screen")]).suspect == nil)
    }

    @Test func suspectIsTheCandidateNearestToTheInstance() throws {
        // The program's main loop holds everything through a closure; the suspect is the container behind that closure.
        let steps = [
            heap.root(Mangled.cache),
            heap.object("Demo.Loop", "body", edge: .function, code: heap.symbol(Mangled.hubClosure)),
            heap.closure(), heap.object("Demo.App", "recent"), heap.array(1), heap.end("Demo.Screen"),
        ]
        #expect(try judge(steps).suspect == "App.recent[1]")
        // But a closure that captures its own object, with the object's children, is the suspect.
        let own = [
            heap.root(Mangled.cache), heap.object("Demo.Loop", "body", edge: .function, code: code), heap.closure(),
            heap.object("Demo.Screen", "children"), heap.array(1), heap.end("Demo.Cell"),
        ]
        #expect(
            try judge(own).suspect == "closure #1 (String) -> () in Screen.bind(_:to:) captures Screen strongly")
    }

    @Test func victimSharesSuspectAndFingerprintOfCulprit() throws {
        let screen = heap.object("Demo.Screen", "model")
        let model = heap.end("Demo.Model")
        let start = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code), heap.closure(),
        ]
        let report = try report(
            on: [
                .made(.reachable, start + [screen.with { $0.edge = nil }]),
                .made(.reachable, start + [screen, model], culprit: 0),
            ], in: heap)
        #expect(report.explanations[0].suspect == 2)
        #expect(report.explanations[1].suspect == 2)
        #expect(report.explanations[0].fingerprint == report.explanations[1].fingerprint)
        #expect(report.explanations[1].culprit == InstanceID(rawValue: 1))
    }

    @Test func closureOfLibraryIsNotTheSuspect() throws {
        let library = heap.symbol(
            "$s20FoundationEssentials18NotificationCenterC12_addObserver_6object5using"
                + "AC01_cF5TokenVSSSg_ypSgyxYbctlFyycfU_")
        let (pattern, _, suspect) = try round([heap.object("Demo.Screen", "done", edge: .function, code: library)])
        #expect(pattern == nil)
        #expect(suspect == "Screen.done", "the last reference that the program's own code wrote")
    }

    @Test func referenceFromStackIsNotTheSuspect() throws {
        let stack = Step.made(.rootStack(thread: 1), at: heap.address(), isPrecise: false)
        #expect(try judge([stack, heap.end("Demo.Screen")]).suspect == nil)
        let array = try judge([stack, heap.array(1), heap.end("Demo.Screen")])
        #expect(array.suspect == nil && array.pattern == nil)
        #expect(
            try judge([stack, heap.object("Demo.Flow", "screen"), heap.end("Demo.Screen")]).suspect == "Flow.screen")
    }

    @Test func uncertainReferenceGetsNoSuspectHintOrFingerprint() throws {
        let task = Step.made(.task, at: heap.address(), edge: .conservative, isPrecise: false)
        let path = try explain(.made(.reachable, [heap.root(Mangled.cache), task, heap.end("Demo.Screen")]), in: heap)
        #expect(path.suspect == nil && path.hint == nil && path.fingerprint == nil)
        let cycle = try explain(
            .made(.cycle, [heap.object("Demo.Screen", "work", edge: .conservative), task], cycle: 0...1), in: heap)
        #expect(cycle.suspect == nil && cycle.hint == nil && cycle.fingerprint == nil)
        // Steps before the suspect may be uncertain. The suspect stays certain and has the same name.
        let certain = [heap.closure(), heap.end("Demo.Screen")]
        let known = heap.object("Demo.Hub", "done", edge: .function, code: code)
        let first = try explain(.made(.reachable, [heap.root(Mangled.cache), known] + certain), in: heap)
        let guessed = Step.made(.rootAnonymous, at: heap.address(), edge: .conservative, isPrecise: false)
        let second = try explain(.made(.reachable, [guessed, known] + certain), in: heap)
        #expect(first.suspect != nil && second.suspect != nil)
        #expect(first.fingerprint == second.fingerprint && first.fingerprint != nil)
    }

    /// The cycle is certain, but it may not hold the instance.
    @Test func uncertainReferenceBehindCycleOrCulpritGetsNoSuspectHintOrFingerprint() throws {
        let parent = heap.object("Demo.Parent", "child")
        let child = heap.object("Demo.Child", "parent")
        let guessed = parent.with { ($0.edge, $0.isPrecise) = (.conservative, false) }
        let end = heap.end("Demo.Screen")
        let certain = try explain(.made(.leakedByCycle, [parent, child, parent, end], cycle: 0...1), in: heap)
        #expect(certain.suspect != nil && certain.hint != nil && certain.fingerprint != nil)
        let leaked = try explain(.made(.leakedByCycle, [parent, child, guessed, end], cycle: 0...1), in: heap)
        #expect(leaked.suspect == nil && leaked.hint == nil && leaked.fingerprint == nil)
        let start = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code), heap.closure(),
        ]
        let screen = heap.object("Demo.Screen", "model")
        let report = try report(
            on: [
                .made(.reachable, start + [screen.with { $0.edge = nil }]),
                .made(
                    .reachable,
                    start + [screen.with { ($0.edge, $0.isPrecise) = (.conservative, false) }, heap.end("Demo.Model")],
                    culprit: 0),
            ], in: heap)
        #expect(report.explanations[0].suspect != nil && report.explanations[0].fingerprint != nil)
        #expect(report.explanations[1].suspect == nil && report.explanations[1].fingerprint == nil)
    }

    @Test func keptErrorIsTheSuspectIfItsNameSaysThatItIsOver() throws {
        func suspect(_ property: String, of holder: String = "Demo.Pool") throws -> String? {
            let error = Step.made(.errorBox, at: heap.address(), name: "owner")
            return try judge([
                heap.root(Mangled.hubShared), heap.object("Demo.Hub", "pools"), heap.array(1),
                heap.object(holder, property), error, heap.end("Demo.Attempt"),
            ]).suspect
        }
        #expect(try suspect("machine.state.lastConnectFailure") == "Pool.machine.state.lastConnectFailure.owner")
        #expect(try suspect("latestError") == "Pool.latestError.owner")
        // The result of a finished promise goes with the promise.
        #expect(try suspect("value") == ".pools[1]")
        #expect(try suspect("last") == ".pools[1]")
        #expect(try suspect("lastError", of: "NIOCore.Pool") == ".pools[1]")
    }

    @Test func contestedVariableIsNotACertainRoot() throws {
        let root = heap.root(Mangled.cache).with { $0.isContested = true }
        let explanation = try explain(.made(.reachable, [root, heap.end("Demo.Screen")]), in: heap)
        #expect(explanation.suspect == nil && explanation.path.first?.isCertain == false)
    }

    @Test func referenceOfLibraryIsNotTheSuspect() throws {
        let channel = heap.object("NIOPosix.SocketChannel", "_pipeline")
        let context = heap.object("NIOCore.ChannelHandlerContext", "inboundHandler")
        let steps = [heap.root(Mangled.cache), channel, context, heap.end("Demo.Handler")]
        #expect(try explain(.made(.reachable, steps), in: heap).suspect == 0)
        // In types of the program, the same structure has a suspect.
        let own = [heap.root(Mangled.cache), heap.object("Demo.Channel", "pipeline"), heap.end("Demo.Handler")]
        #expect(try explain(.made(.reachable, own), in: heap).suspect == 1)
        let cycle = [heap.object("Demo.Handler", "context"), context]
        #expect(try explain(.made(.cycle, cycle, cycle: 0...1), in: heap).suspect == 0)
    }

    @Test func referenceOfSystemTypeIsNotTheSuspect() throws {
        let cache = [
            heap.root(Mangled.cache), heap.object("Foundation.NSCache<Foundation.NSString, Demo.Screen>", "_head"),
            heap.object("Foundation.NSCacheEntry<Foundation.NSString, Demo.Screen>", "value"), heap.end("Demo.Screen"),
        ]
        #expect(try explain(.made(.reachable, cache), in: heap).suspect == 0)
        let stream = [
            heap.root(Mangled.cache), heap.object("Demo.Feed", "stream"),
            heap.object("Swift.AsyncStream<Demo.Screen>._Context", "storage"),
            heap.object("Swift.AsyncStream<Demo.Screen>._Storage", "state"), heap.end("Demo.Screen"),
        ]
        #expect(try judge(stream).suspect == "Feed.stream")
        // A path without any type of the program has no suspect.
        let foreign = [heap.root(Mangled.defaultCenter), heap.object("Foundation.Thing", "x"), heap.end("Demo.Screen")]
        #expect(try judge(foreign).suspect == nil)
        let loop = [heap.root("__CFRunLoops"), heap.object("Foundation.RunLoop", "x"), heap.end("Demo.Screen")]
        #expect(try judge(loop).suspect == nil)
        // A type that the program declares inside a system type belongs to the program.
        let inside = [heap.root(Mangled.hubShared), heap.object("(extension in Demo):Swift.Array.Node", "x")]
        #expect(try judge(inside + [heap.end("Demo.Screen")]).suspect?.hasSuffix("Node.x") == true)
    }

    @Test func configuredModulesAreTreatedAsLibraries() throws {
        let steps = [heap.root(Mangled.hubShared), heap.object("Neighbour.Cache", "head"), heap.end("Demo.Screen")]
        let finding = HeapAnswer.Finding.made(.reachable, steps)
        func suspect(_ modules: Set<String>) throws -> Int? {
            let writer = ExplanationWriter(
                names: heap.names, libraryModules: modules, today: try unwrapped(CalendarDay("2026-11-21")))
            let report = writer.report(on: HeapAnswer(findings: [finding]), of: [InstanceID(rawValue: 1)])
            return report.explanations[0].suspect
        }
        #expect(try suspect([]) == 1)
        #expect(try suspect(["Neighbour"]) == 0)
        #expect(try suspect(["Neighbour", "Demo"]) == nil)
        #expect(LibraryModules.list("NIOCore, RxSwift,,\tDemo ") == ["NIOCore", "RxSwift", "Demo"])
        #expect(LibraryModules.list("").isEmpty)
    }
}
