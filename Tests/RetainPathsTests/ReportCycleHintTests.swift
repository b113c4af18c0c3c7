import LifetimeTracer
import Testing

@testable import RetainPaths

/// The hints about cycles that no weak property breaks: closures alone, and an object's own storage.
@Suite struct ReportCycleHintTests: JudgesPaths {
    let heap = MadeUpHeap()

    private var hubCode: UInt { heap.symbol(Mangled.hubClosure) }

    @Test func closureIsNeverToBeCapturedWeakly() throws {
        let advice =
            "Closures cannot be captured weakly. Set the variable to nil when the closure is no longer needed, or do "
            + "not use the variable in the closure."
        let box = Step.made(.genericBox, at: heap.address(), edge: .function, code: code)
        let alone = try judge(
            [heap.closure(), box, heap.closure(), heap.end("Demo.Screen")], .leakedByCycle, cycle: 0...1)
        #expect(alone.pattern == .ownClosure)
        #expect(
            alone.text == "closure #1 in Screen.bind(_:to:) captures the variable that holds the closure itself. "
                + advice)
        let list = try judge(
            [heap.closure(), box.with { $0.edge = .strong }, heap.array(0, code: code), heap.closure()]
                + [heap.end("Demo.Screen")], .leakedByCycle, cycle: 0...2)
        #expect(list.text.contains("Empty the variable when the closure is no longer needed"))
        let two = try judge(
            [
                heap.closure(edge: .function, code: hubCode), heap.closure(edge: .function, code: code),
                heap.closure(), heap.end("Demo.Screen"),
            ], .leakedByCycle, cycle: 0...1)
        #expect(
            two.text == "closure #1 in Screen.bind(_:to:) and closure #1 in Hub.onAny<A>(_:) hold each other through "
                + "the variables that they capture. " + advice)
    }

    @Test func objectOfLibraryThatHoldsTheClosureIsToBeCapturedWeakly() throws {
        let operation = heap.object("Foundation.BlockOperation", "__completion", edge: .function, code: hubCode)
        let (pattern, text, _) = try judge(
            [heap.closure(), operation, heap.closure(), heap.end("Demo.Screen")], .leakedByCycle, cycle: 0...1)
        #expect(pattern == .ownClosure)
        #expect(text.hasSuffix("Capture BlockOperation weakly in the closure, [weak …]."))
    }

    @Test func closureThatCapturesAnObjectIsTheSuspect() throws {
        // The cycle may be found from any of its nodes.
        let screen = heap.object("Demo.Screen", "done", edge: .function, code: hubCode)
        let (_, text, suspect) = try judge(
            [heap.closure(), screen, heap.closure(edge: .function, code: code), heap.closure(), heap.end("Demo.Cell")],
            .leakedByCycle, cycle: 0...2)
        #expect(suspect == "closure #1 (String) -> () in Screen.bind(_:to:) captures Screen strongly")
        #expect(text.contains("Capture Screen weakly"))
    }

    @Test func ownStorageIsNeverToBeWeak() throws {
        let advice = "Remove Screen from it when Screen is no longer needed, or keep only a weak reference there."
        let storages = [
            ("_cached.cell", "Demo.Cached<Any>.Cell", "Cached<Any>.Cell"),
            ("lock.storage", "Demo.LockStorage<Swift.Array<Demo.Screen>>", "LockStorage<Array<Screen>>"),
            ("items", "Demo.Ref<Swift.Array<Demo.Screen>>", "Ref<Array<Screen>>"),
        ]
        for (property, type, name) in storages {
            let steps = [heap.object("Demo.Screen", property), heap.object(type, "value"), heap.array(0)]
            let rotated = [steps[1], steps[2], steps[0]]
            for cycle in [steps, rotated] {
                let (pattern, text, suspect) = try round(cycle)
                #expect(pattern == .parentAndChild)
                #expect(suspect == "\(name).value[0]")
                #expect(
                    text == "Screen holds itself: \(name).value, the storage of Screen.\(property), refers back to "
                        + "Screen. \(advice)")
            }
        }
    }

    @Test func referenceToTheOwnerOfStorageIsTheSuspect() throws {
        let (_, text, _) = try round([
            heap.object("Demo.Album", "pages.storage"), heap.object("Demo.Storage<Demo.Page>", "value"), heap.array(0),
            heap.object("Demo.Page", "album"),
        ])
        #expect(text == "Album, Storage<Page> and Page hold each other. Make Page.album weak.")
        // Whichever object the cycle is found from.
        let (_, rotated, _) = try round([
            heap.object("Demo.Page", "album"), heap.object("Demo.Album", "first.storage"),
            heap.object("Demo.Storage<Demo.Page>", "value"),
        ])
        #expect(rotated == "Page, Album and Storage<Page> hold each other. Make Page.album weak.")
        let named = try round([
            heap.object("Demo.Parent", "state.child"), heap.object("Demo.Child<Demo.Model>", "parent"),
        ])
        #expect(named.text == "Parent and Child<Model> hold each other. Make Child<Model>.parent weak.")
    }

    @Test func collectionIsNotToBeWeakItself() throws {
        let (_, text, _) = try round([
            heap.object("Demo.A", "all"), heap.array(0), heap.object("Demo.B", "all"), heap.array(0),
        ])
        #expect(
            text == "A and B hold each other. Keep only weak references in one of A.all and B.all: the one that does "
                + "not own the other object.")
        let (_, single, _) = try round([heap.object("Demo.A", "b"), heap.object("Demo.B", "listeners"), heap.array(0)])
        #expect(single == "A and B hold each other. Keep weak references in B.listeners.")
    }

    @Test func hintDoesNotSuggestWeakKeyPath() throws {
        let row = try round([
            heap.object("Demo.Row", "sort"), heap.object("Swift.KeyPath<Demo.Grid, Swift.Int>"),
        ])
        #expect(
            row.text
                == "Row.sort keeps a key path, which holds Row as the argument of a subscript. Give up the key path "
                + "when Row is no longer needed, or use an argument that does not lead to it.")
    }
}
