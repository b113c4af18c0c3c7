import LifetimeTracer
import Testing

@testable import RetainPaths

/// The choice of the reference back to an owner in a cycle of objects.
@Suite struct ReportBackReferenceTests: JudgesPaths {
    let heap = MadeUpHeap()

    /// The suspects of a cycle, as seen from each of its objects.
    private func suspects(_ steps: [Step]) throws -> Set<String?> {
        let objects = steps.indices.filter { steps[$0].index == nil }
        return try Set(objects.map { try round(Array(steps[$0...] + steps[..<$0])).suspect })
    }

    /// The fingerprints of a cycle, as seen from each of its objects.
    private func fingerprints(_ steps: [Step]) throws -> Set<Fingerprint?> {
        try Set(
            steps.indices.map { start in
                let rotated = Array(steps[start...] + steps[..<start])
                return try explain(.made(.cycle, rotated, cycle: 0...(steps.count - 1)), in: heap).fingerprint
            })
    }

    @Test(arguments: [
        "prev", "previous", "prevNode", "previousSibling", "parent", "parentNode", "ownerDocument", "ctx", "context",
        "_owner", "handlerContext", "superview", "container", "coordinator", "state.delegate", "backReference", "back",
        "dataSource", "enclosingScope", "options.parent.0",
    ])
    func nameTellsTheReferenceBack(_ name: String) throws {
        for forward in ["next", "handler", "head", "child", "value", "tail", "thing", "background"] {
            let steps = [heap.object("Demo.A", name), heap.object("Demo.B", forward)]
            #expect(try suspects(steps) == ["A.\(name)"], "\(forward)")
        }
        let nodes = [heap.object("Demo.Node", name), heap.object("Demo.Node", "next")]
        #expect(try suspects(nodes) == ["Node.\(name)"])
    }

    @Test func surerNameWins() throws {
        for (back, other) in [("parent", "context"), ("owner", "target"), ("prev", "container"), ("ctx", "backdrop")] {
            let steps = [heap.object("Demo.A", other), heap.object("Demo.B", back)]
            #expect(try suspects(steps) == ["B.\(back)"])
        }
    }

    @Test func referenceToTheOwnerOfAPartIsTheSuspect() throws {
        for part in ["next", "head", "child", "nextNode", "left"] {
            let steps = [heap.object("Demo.A", part), heap.object("Demo.B", "thing")]
            #expect(try suspects(steps) == ["B.thing"])
        }
        let three = [heap.object("Demo.A", "child"), heap.object("Demo.B", "view"), heap.object("Demo.C", "model")]
        #expect(try suspects(three) == ["C.model"])
        // The owner of the listeners does not own them.
        let listeners = [heap.object("Demo.Emitter", "listeners"), heap.array(0), heap.object("Demo.Screen", "source")]
        #expect(try suspects(listeners) == ["Emitter.listeners[0]"])
    }

    @Test func objectNamedAfterItsContentsIsStorage() throws {
        let relations = [
            heap.object("Demo.Book", "author"), heap.object("Demo.Relation<Demo.Author>", "one"),
            heap.object("Demo.Author", "books"), heap.object("Demo.Relation<Demo.Book>", "many"), heap.array(0),
        ]
        #expect(try suspects(relations) == ["Relation<Author>.one"])
        // A queue of jobs is the owner of a job that knows it.
        let queue = [heap.object("Demo.Job", "work"), heap.object("Demo.Queue<Demo.Job>", "jobs"), heap.array(0)]
        #expect(try suspects(queue) == ["Job.work"])
    }

    @Test func rootIsAPartOfItsTreeAndAnOwnerOfItsNodes() throws {
        let tree = [heap.object("Demo.Tree", "root"), heap.object("Demo.Node", "tree")]
        #expect(try suspects(tree) == [nil])
        let node = [heap.object("Demo.Node", "root"), heap.object("Demo.Node", "children"), heap.array(1)]
        #expect(try suspects(node) == ["Node.root"])
    }

    /// The cells of property wrappers that are classes, as those of Fluent.
    @Test func cellOfPropertyWrapperIsNeverTheSuspect() throws {
        let parent = "Demo.ParentX<Demo.Star>"
        let eager = [
            heap.object("Demo.Planet", "_star"), heap.object(parent, "value"),
            heap.object("Demo.Star", "_planets"), heap.object("Demo.ChildrenX<Demo.Planet>", "value"), heap.array(0),
        ]
        #expect(try suspects(eager) == ["ParentX<Star>.value"])
        #expect(
            try round(eager).text == "Planet and Star hold each other: ParentX<Star>.value, the storage of "
                + "Planet._star, refers back to Star. Remove Star from it when Star is no longer needed, or keep only "
                + "a weak reference there.")
        #expect(try fingerprints(eager).count == 1)
        // The wrapper's own name says nothing here; the collection does.
        let plain = [
            heap.object("Demo.Line", "_invoice"), heap.object("Demo.Single<Demo.Invoice>", "inputValue"),
            heap.object("Demo.Invoice", "_lines"), heap.object("Demo.Many<Demo.Line>", "wrappedValue"), heap.array(0),
        ]
        #expect(try suspects(plain) == ["Single<Invoice>.inputValue"])
        // A wrapper that is not generic, and one whose property is named after the owner.
        let cell = [
            heap.object("Demo.Page", "_parent"), heap.object("Demo.PageLink", "wrappedValue"),
            heap.object("Demo.Page", "next"),
        ]
        #expect(try suspects(cell) == ["PageLink.wrappedValue"])
        let library = [
            heap.object("Demo.Planet", "_star"),
            heap.object("Vapor.ParentProperty<Demo.Planet, Demo.Star>", "value"),
            heap.object("Demo.Star", "_planets"),
            heap.object("Vapor.ChildrenProperty<Demo.Star, Demo.Planet>", "value"), heap.array(0),
        ]
        #expect(try suspects(library) == ["Planet._star"])
        #expect(try round(library).text.contains("the storage of Planet._star, refers back to Star. Remove Star"))
    }

    @Test func genericOwnerIsNotTakenForTheCellOfAWrapper() throws {
        let sections = [
            heap.object("Demo.Section", "_owner"), heap.object("Demo.Document<Demo.Section>", "sections"),
            heap.array(0),
        ]
        #expect(try suspects(sections) == ["Section._owner"])
        let context = [
            heap.object("Demo.Handler", "_ctx"), heap.object("Demo.Context<Demo.Handler>", "handler"),
        ]
        #expect(try suspects(context) == ["Handler._ctx"])
    }

    @Test func namesThatTellNothingLeaveBothReferences() throws {
        let two = [heap.object("Demo.A", "b"), heap.object("Demo.B", "a")]
        #expect(try suspects(two) == [nil])
        let hint = try round(two)
        #expect(hint.pattern == .parentAndChild)
        #expect(
            hint.text == "A and B hold each other. Make one of A.b and B.a weak: the one that does not own the other "
                + "object.")
        #expect(try fingerprints(two).count == 1 && !fingerprints(two).contains(nil))
        let three = try round(two + [heap.object("Demo.C", "a")])
        #expect(
            three.text == "A, B and C hold each other. Make one of A.b, B.a and C.a weak: one that does not own its "
                + "object.")
        let ring = try round([heap.object("Demo.Node", "next"), heap.object("Demo.Node", "next")])
        #expect(ring.suspect == nil)
        #expect(
            ring.text == "2 objects of type Node hold each other. Give up one reference Node.next when the objects are "
                + "no longer needed.")
        // Equally telling names leave both, too, unless one refers to the owner of a collection.
        let delegates = [heap.object("Demo.A", "delegate"), heap.object("Demo.B", "delegate")]
        #expect(try suspects(delegates) == [nil])
        #expect(try round(delegates).text.contains("Make one of A.delegate and B.delegate weak"))
        let collection = [
            heap.object("Demo.A", "owner"), heap.object("Demo.B", "parent"), heap.object("Demo.C", "all"),
            heap.array(1),
        ]
        #expect(try suspects(collection) == ["B.parent"])
        let uncertain = [two[0], two[1].with { ($0.edge, $0.isPrecise) = (.conservative, false) }]
        #expect(try round(uncertain).pattern == nil)
    }

    @Test func onlyReferencesOfTheProgramAreNamed() throws {
        let subject = [heap.object("Demo.Model", "input"), heap.object("OpenCombine.Subject", "downstream")]
        #expect(try suspects(subject) == ["Model.input"])
        let both = subject + [heap.object("Demo.Sink", "model")]
        #expect(try round(both).text.contains("Make one of Model.input and Sink.model weak"))
    }
}
