internal import LifetimeTracer

/// Cycles of objects in which one reference leads back to an owner, and in which nothing tells which one does.
@MainActor enum BackReferenceShapes {
    static let all = [
        eagerLoad, invoice, optionalParent, plainCell, doubleList, doubleListOfThree, context, genericContext, tree,
        listeners, undecided, relation,
    ]

    private static let eagerLoad = Shape(
        "back: wrapped property of a class, loaded eagerly",
        .cycle(.object("Planet"), .through("star"), .object("Star"), .through("planets")).giving("ToParent")
            .hinting(.parentAndChild, "the storage of Planet._star, refers back to Star. Remove Star")
    ) {
        let (star, planet) = (Star(), Planet())
        planet.star = star
        star.planets = [planet, Planet()]
        let hidden = Hidden(planet)
        return Planted(planet) { hidden.object.star = nil }
    }

    private static let invoice = Shape(
        "back: wrapped property of a class, seen from the owner",
        .cycle(.object("Star"), .through("planets"), .object("Planet"), .through("star")).references(2)
            .giving("ToParent").hinting(.parentAndChild, "the storage of Planet._star, refers back to Star. Remove")
    ) {
        let star = Star()
        star.planets = [Planet(), Planet()]
        for planet in star.planets ?? [] { planet.star = star }
        let hidden = Hidden(star)
        return Planted(star) { hidden.object.planets = nil }
    }

    private static let relation = Shape(
        "back: relations named after their contents",
        .cycle(.object("Book"), .through("author"), .object("Author"), .through("books")).giving("Relation<Author>")
            .hinting(.parentAndChild, "Relation<Author>.one, the storage of Book.author, refers back to Author. Remove")
    ) {
        let (author, book) = (Author(), Book())
        author.books.many = [Book(), book]
        book.author.one = author
        let hidden = Hidden(book)
        return Planted(book) { hidden.object.author.one = nil }
    }

    private static let optionalParent = Shape(
        "back: wrapped property named after the owner",
        .cycle(.object("Folder"), .through("parent"), .object("Folder"), .through("files")).giving("ToParent")
    ) {
        let (outer, inner) = (Folder(), Folder())
        outer.files["inner"] = inner
        inner.parent = outer
        let hidden = Hidden(inner)
        return Planted(inner) { hidden.object.parent = nil }
    }

    private static let plainCell = Shape(
        "back: wrapped property of a class that is not generic",
        .cycle(.object("Album"), .through("covers"), .object("Cover"), .through("album")).giving("Cover .album")
    ) {
        let (album, cover) = (Album(), Cover())
        album.covers = [cover]
        cover.album = album
        let hidden = Hidden(album)
        return Planted(album) { hidden.object.covers = [] }
    }

    private static let doubleList = Shape(
        "back: list with references in both directions",
        .leakedByCycle(.object("DoubleNode"), .object("DetailScreen")).giving("prev").hinting(.parentAndChild, ".prev")
    ) {
        let screen = DetailScreen()
        let nodes = [DoubleNode<Screen>(Screen()), DoubleNode(screen)]
        DoubleNode.link(nodes)
        let hidden = Hidden(nodes[0])
        return Planted(screen) { hidden.object.next = nil }
    }

    private static let doubleListOfThree = Shape(
        "back: element in the middle of a list with references in both directions",
        .leakedByCycle(.object("DoubleNode"), .object("DetailScreen")).giving("prev").hinting(.parentAndChild, ".prev")
    ) {
        let screen = DetailScreen()
        let nodes = [DoubleNode<Screen>(Screen()), DoubleNode(screen), DoubleNode(Screen())]
        DoubleNode.link(nodes)
        let (first, second) = (Hidden(nodes[0]), Hidden(nodes[1]))
        return Planted(screen) {
            // The first node holds the second one, which must be read before.
            let middle = second.object
            first.object.next = nil
            middle.next = nil
        }
    }

    private static let context = Shape(
        "back: handler that keeps its context",
        .cycle(.object("Backpressure"), .through("ctx"), .object("HandlerContext"), .through("handler"))
            .giving("ctx").hinting(.parentAndChild, "Make Backpressure.ctx weak")
    ) {
        let handler = Backpressure()
        handler.ctx = HandlerContext(handler)
        let hidden = Hidden(handler)
        return Planted(handler) { hidden.object.ctx = nil }
    }

    private static let genericContext = Shape(
        "back: handler that keeps its generic context",
        .cycle(.object("MessageDecoder"), .through("context"), .object("TypedContext"), .through("handler"))
            .giving("context").hinting(.parentAndChild, "Make MessageDecoder.context weak")
    ) {
        let decoder = MessageDecoder()
        decoder.context = TypedContext(decoder)
        let hidden = Hidden(decoder)
        return Planted(decoder) { hidden.object.context = nil }
    }

    private static let tree = Shape(
        "back: tree with references to the node above",
        .cycle(.object("TreeNode"), .through("above"), .object("TreeNode"), .through("left")).giving("above")
    ) {
        let (top, below) = (TreeNode(), TreeNode())
        top.left = below
        below.above = top
        let hidden = Hidden(below)
        return Planted(below) { hidden.object.above = nil }
    }

    private static let listeners = Shape(
        "back: listener that keeps the source of its events",
        .cycle(.object("Listener"), .through("source"), .object("Source"), .through("listeners"))
            .giving("listeners").hinting(.parentAndChild, "Keep weak references in Source.listeners")
    ) {
        let source = Source()
        let listener = Listener()
        listener.source = source
        source.listeners = [listener]
        let hidden = Hidden(listener)
        return Planted(listener) { hidden.object.source = nil }
    }

    private static let undecided = Shape(
        "back: two objects whose names do not tell the owner",
        .cycle(.object("Lamp"), .through("plug"), .object("Plug"), .through("lamp"))
            .hinting(.parentAndChild, "Make one of Lamp.plug and Plug.lamp weak: the one that does not own the other")
    ) {
        let (lamp, plug) = (Lamp(), Plug())
        lamp.plug = plug
        plug.lamp = lamp
        let hidden = Hidden(lamp)
        return Planted(lamp) { hidden.object.plug = nil }
    }
}

/// A property wrapper that is a class, as those of Fluent.
@propertyWrapper private final class ToParent<Parent: AnyObject> {
    var id = 0
    var value: Parent?

    var wrappedValue: Parent? {
        get { value }
        set { value = newValue }
    }
}

@propertyWrapper private final class ToChildren<Child: AnyObject> {
    var value: [Child]?

    var wrappedValue: [Child]? {
        get { value }
        set { value = newValue }
    }
}

private final class Star: TracedObject {
    @ToChildren var planets: [Planet]?
}

private final class Planet: TracedObject {
    @ToParent var star: Star?
}

private final class Folder: TracedObject {
    @ToParent var parent: Folder?
    var files: [String: Folder] = [:]
}

@propertyWrapper private final class CoversOfAlbum {
    var wrappedValue: [Cover] = []
}

private final class Album: TracedObject {
    @CoversOfAlbum var covers: [Cover]
}

private final class Cover {
    var album: Album?
}

private final class DoubleNode<Element> {
    let element: Element
    var next: DoubleNode?
    var prev: DoubleNode?

    init(_ element: Element) { self.element = element }

    static func link(_ nodes: [DoubleNode]) {
        for (left, right) in zip(nodes, nodes.dropFirst()) {
            left.next = right
            right.prev = left
        }
    }
}

private protocol Handling: AnyObject {}

private final class HandlerContext {
    let handler: any Handling

    init(_ handler: any Handling) { self.handler = handler }
}

private final class Backpressure: TracedObject, Handling {
    var ctx: HandlerContext?
}

private final class TypedContext<Handler> {
    let handler: Handler

    init(_ handler: Handler) { self.handler = handler }
}

private final class MessageDecoder: TracedObject {
    var context: TypedContext<MessageDecoder>?
}

private final class TreeNode: TracedObject {
    var left: TreeNode?
    var above: TreeNode?
}

private final class Source {
    var listeners: [Listener] = []
}

private final class Listener: TracedObject {
    var source: Source?
}

private final class Lamp: TracedObject {
    var plug: Plug?
}

private final class Plug {
    var lamp: Lamp?
}

/// A relation to one or to several objects.
private final class Relation<Model>: @unchecked Sendable {
    // `@unchecked Sendable` is safe because the shapes are planted one at a time on one thread.
    var one: Model?
    var many: [Model] = []
}

private final class Author: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe for the same reason.
    let books = Relation<Book>()
}

private final class Book: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe for the same reason.
    let author = Relation<Author>()
}
