/// Collections that are never emptied.
@MainActor package enum CollectionShapes {
    package static var array: [Screen] = []
    package static var optionals: [Screen?] = []
    package static var matrix: [[[Screen]]] = []
    package static var contiguous: ContiguousArray<DetailScreen> = []
    package static var slice: ArraySlice<Screen> = []
    package static var set: Set<Screen> = []
    package static var byName: [String: Screen] = [:]
    package static var byNumber: [Int: Screen] = [:]
    package static var byRoute: [Route: Screen] = [:]
    package static var byTopic: [Topic: [Screen]] = [:]
    package static var byAnything: [AnyHashable: Any] = [:]
    package static var titles: [Screen: String] = [:]
    package static var deep: [String: [Int: [Screen]]] = [:]
    package static var pairs: [(name: String, screen: Screen)] = []
    package static var anything: [Any] = []
    package static var sequence: AnyCollection<Screen>?
    package static var lazyView: Any?
    package static var pages: Pages?
    package static var head: Node?
    package static var fixed: FixedHolder?
    package static var shelf: Shelf?

    /// An object with collections, which hold the same screen.
    package final class Shelf {
        package var byName: [String: Screen] = [:]
        package var rows: [[Screen]] = []
    }

    /// A key type of the program, like a notification name.
    package struct Topic: RawRepresentable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A key that is an enum.
    package enum Route: Hashable {
        case home
        case detail(Int)
        case search(String)
    }

    /// A node of a linked list.
    package final class Node {
        package var next: Node?
        package var screen: Screen?
    }

    /// A managed buffer with its elements at the end of the object.
    package final class Pages: ManagedBuffer<PagesHeader, Screen> {
        deinit {
            withUnsafeMutablePointers { header, screens in _ = screens.deinitialize(count: header.pointee.count) }
        }
    }

    /// The header of the buffer.
    package struct PagesHeader {
        package var count = 0
        package var front: Screen?
    }

    /// An object with two screens stored inline.
    package final class FixedHolder {
        package var pair: [2 of Screen?]

        package init(_ screen: Screen) { pair = [nil, screen] }
    }

    static let all = [
        arrayElement, largeArray, optionalElement, nestedArrays, contiguousArray, arraySlice, setElement, stringKey,
        numberKey,
        enumKey, topicKey, anyKey, keyItself, nestedDictionaries, tuples, existentials, erased, lazyMap, bufferElement,
        bufferHeader, chain, inlineArray, severalTimes, severalCollections,
    ]

    static let arrayElement = Shape("array", .held(.global("CollectionShapes.array"), .through("[1]"))) {
        let screen = DetailScreen()
        array = [Screen(), screen, Screen()]
        return Planted(screen) { array = [] }
    }

    static let largeArray = Shape("large array", .held(.global("CollectionShapes.array"), .through("[17777]"))) {
        let screen = DetailScreen()
        array = (0..<20_000).map { $0 == 17_777 ? screen : Screen() }
        return Planted(screen) { array = [] }
    }

    static let optionalElement = Shape(
        "array of optionals", .held(.global("CollectionShapes.optionals"), .through("[2]"))
    ) {
        let screen = DetailScreen()
        optionals = [nil, nil, screen, nil]
        return Planted(screen) { optionals = [] }
    }

    static let nestedArrays = Shape(
        "nested arrays",
        .held(.global("CollectionShapes.matrix"), .through("[0]"), .through("[1]"), .through("[2]"))
    ) {
        let screen = DetailScreen()
        matrix = [[[], [Screen(), Screen(), screen]]]
        return Planted(screen) { matrix = [] }
    }

    static let contiguousArray = Shape(
        "contiguous array", .held(.global("CollectionShapes.contiguous"), .through("[0]"))
    ) {
        let screen = DetailScreen()
        contiguous = [screen]
        return Planted(screen) { contiguous = [] }
    }

    static let arraySlice = Shape("array slice", .held(.global("CollectionShapes.slice"), .through("[3]"))) {
        let screen = DetailScreen()
        slice = [Screen(), Screen(), Screen(), screen][2...]
        return Planted(screen) { slice = [] }
    }

    static let setElement = Shape("set", .held(.global("CollectionShapes.set"))) {
        let screen = DetailScreen()
        set = [screen, Screen()]
        return Planted(screen) { set = [] }
    }

    static let stringKey = Shape(
        "dictionary value, string key", .held(.global("CollectionShapes.byName"), .through("[\"userDidLogIn\"]"))
    ) {
        let screen = DetailScreen()
        byName = ["userDidLogIn": screen, "another": Screen()]
        return Planted(screen) { byName = [:] }
    }

    static let numberKey = Shape(
        "dictionary value, number as key", .held(.global("CollectionShapes.byNumber"), .through("[-42]"))
    ) {
        let screen = DetailScreen()
        byNumber = [1: Screen(), -42: screen]
        return Planted(screen) { byNumber = [:] }
    }

    static let enumKey = Shape("dictionary value, enum as key", .held(.global("CollectionShapes.byRoute"))) {
        let screen = DetailScreen()
        byRoute = [.home: Screen(), .detail(3): screen, .search("x"): Screen()]
        return Planted(screen) { byRoute = [:] }
    }

    static let topicKey = Shape(
        "dictionary of arrays, name as key",
        .held(.global("CollectionShapes.byTopic"), .through("[\"a topic with a rather long name\"]"), .through("[1]"))
    ) {
        let screen = DetailScreen()
        byTopic = [Topic(rawValue: "a topic with a rather long name"): [Screen(), screen]]
        return Planted(screen) { byTopic = [:] }
    }

    static let anyKey = Shape("dictionary from anything to anything", .held(.global("CollectionShapes.byAnything"))) {
        let screen = DetailScreen()
        byAnything = ["name": 1, 7: screen as Any]
        return Planted(screen) { byAnything = [:] }
    }

    static let keyItself = Shape("dictionary key", .held(.global("CollectionShapes.titles"), .through("key"))) {
        let screen = DetailScreen()
        titles = [screen: "detail", Screen(): "other"]
        return Planted(screen) { titles = [:] }
    }

    static let nestedDictionaries = Shape(
        "nested dictionaries",
        .held(.global("CollectionShapes.deep"), .through("[\"inbox\"]"), .through("[12]"), .through("[0]"))
    ) {
        let screen = DetailScreen()
        deep = ["inbox": [12: [screen], 13: []], "outbox": [:]]
        return Planted(screen) { deep = [:] }
    }

    static let tuples = Shape("array of tuples", .held(.global("CollectionShapes.pairs"), .through("[1].screen"))) {
        let screen = DetailScreen()
        pairs = [("a", Screen()), ("b", screen)]
        return Planted(screen) { pairs = [] }
    }

    static let existentials = Shape("array of Any", .held(.global("CollectionShapes.anything"), .through("[3]"))) {
        let screen = DetailScreen()
        anything = [1, "two", 3.0, screen]
        return Planted(screen) { anything = [] }
    }

    static let erased = Shape("type-erased collection", .held(.global("CollectionShapes.sequence"), .through("[1]"))) {
        let screen = DetailScreen()
        sequence = AnyCollection([Screen(), screen])
        return Planted(screen) { sequence = nil }
    }

    static let lazyMap = Shape("lazy collection", .held(.global("CollectionShapes.lazyView"))) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        lazyView = [1, 2, 3].lazy.map { screen.taps + $0 * number }.filter { $0 > 1 }
        return Planted(screen) { lazyView = nil }
    }

    static let bufferElement = Shape(
        "element of a managed buffer",
        .held(.global("CollectionShapes.pages"), .object("Pages"), .through("[1]")).giving("Pages [1]")
            .hinting(.growingContainer, "Remove DetailScreen when it is no longer needed")
    ) {
        let screen = DetailScreen()
        pages = makePages(3)
        pages?.withUnsafeMutablePointers { header, screens in
            header.pointee.count = 3
            (screens).initialize(to: Screen())
            (screens + 1).initialize(to: screen)
            (screens + 2).initialize(to: Screen())
        }
        return Planted(screen) { pages = nil }
    }

    static let bufferHeader = Shape(
        "header of a managed buffer", .held(.global("CollectionShapes.pages"), .object("Pages"), .through("front"))
    ) {
        let screen = DetailScreen()
        pages = makePages(1)
        pages?.withUnsafeMutablePointerToHeader { $0.pointee.front = screen }
        return Planted(screen) { pages = nil }
    }

    private static func makePages(_ capacity: Int) -> Pages {
        let buffer = Pages.create(minimumCapacity: capacity) { _ in PagesHeader() }
        return unsafeDowncast(buffer, to: Pages.self)
    }

    static let chain = Shape(
        "chain of twenty", .held(.global("CollectionShapes.head"), .through("next"), .through("screen"))
    ) {
        let screen = DetailScreen()
        let last = Node()
        last.screen = screen
        head = (0..<19).reduce(last) { next, _ in
            let node = Node()
            node.next = next
            return node
        }
        return Planted(screen) { head = nil }
    }

    static let inlineArray = Shape("inline array", .held(.global("CollectionShapes.fixed"), .through("pair"))) {
        let screen = DetailScreen()
        fixed = FixedHolder(screen)
        return Planted(screen) { fixed = nil }
    }

    static let severalTimes = Shape(
        "three times in an array", .held(.global("CollectionShapes.array"), .through("[1]")).references(3)
    ) {
        let screen = DetailScreen()
        array = [Screen(), screen, screen, Screen(), screen]
        return Planted(screen) { array = [] }
    }

    static let severalCollections = Shape(
        "in several collections",
        .held(.global("CollectionShapes.")).references(3).directly(
            by: "static CollectionShapes.array[1]", "CollectionShapes.Shelf.byName[\"a\"]",
            "CollectionShapes.Shelf.rows[1][0]"),
        using: ["CollectionShapes.array", "CollectionShapes.shelf"]
    ) {
        let screen = DetailScreen()
        array = [Screen(), screen]
        let made = Shelf()
        made.byName = ["a": screen]
        made.rows = [[], [screen]]
        shelf = made
        return Planted(screen) {
            array = []
            shelf = nil
        }
    }
}
