package import RetainShapesLibraries

/// Elements of buffers.
///
/// Only the program knows how many places of a buffer are in use.
@MainActor package enum BufferShapes {
    package static var screen: Screen?
    package static var deque = Deque<Screen>()
    package static var numbers = Deque<Int>()
    package static var slab: Slab<Screen>?
    package static var wordSlab: Slab<UInt>?
    package static var node: HashNode<String, Screen>?
    package static var pairs = Deque<(Int, Screen)>()
    package static var closures = Deque<() -> Void>()
    package static var optionals = Deque<Screen?>()
    package static var textSlab: Slab<String>?

    static let all = [
        dequeElement, nodeItem, pairElement, closureElement, optionalElement, poppedFromDeque,
        poppedFromSlab, removedFromNode, numbersInDeque, wordsInSlab, textsInSlab,
    ]

    private static let dequeElement = Shape("element of a deque", .held(.global("BufferShapes.deque")).certain()) {
        let made = DetailScreen()
        deque.append(Screen())
        deque.append(made)
        return Planted(made) { deque = Deque() }
    }

    private static let nodeItem = Shape("item of a node", .held(.global("BufferShapes.node")).certain()) {
        let made = DetailScreen()
        let node = HashNode<String, Screen>(capacity: 4)
        node.insert("other", Screen())
        node.insert("a text that is not stored in place", made)
        BufferShapes.node = node
        return Planted(made) { BufferShapes.node = nil }
    }

    private static let pairElement = Shape("pair in a deque", .held(.global("BufferShapes.pairs")).certain()) {
        let made = DetailScreen()
        pairs.append((1, Screen()))
        pairs.append((2, made))
        return Planted(made) { pairs = Deque() }
    }

    private static let closureElement = Shape(
        "closure in a deque", .held(.global("BufferShapes.closures"), .closure("closure #"))
    ) {
        let made = DetailScreen()
        let number = made.taps + 1
        closures.append { made.taps += number }
        return Planted(made) { closures = Deque() }
    }

    private static let optionalElement = Shape(
        "optional in a deque", .held(.global("BufferShapes.optionals")).certain()
    ) {
        let made = DetailScreen()
        optionals.append(nil)
        optionals.append(made)
        return Planted(made) { optionals = Deque() }
    }

    /// A shape whose instance was removed from a buffer in which its bytes remain.
    private static func former(
        _ name: String, using variable: String, _ passThrough: @escaping @MainActor @Sendable (Screen) -> Void,
        undo: @escaping @MainActor @Sendable () -> Void
    ) -> Shape {
        Shape("not held by \(name)", .held(.global("BufferShapes.screen")), using: ["BufferShapes.\(variable)"]) {
            let made = DetailScreen()
            screen = made
            passThrough(made)
            return Planted(made) {
                screen = nil
                undo()
            }
        }
    }

    private static let poppedFromDeque = former("a deque that it was taken out of", using: "deque") { made in
        deque.append(made)
        deque.append(Screen())
        _ = deque.popFirst()
    } undo: {
        deque = Deque()
    }

    private static let poppedFromSlab = former("a managed buffer that it was taken out of", using: "slab") { made in
        let slab = Slab<Screen>.make(capacity: 4)
        slab.append(Screen())
        slab.append(made)
        _ = slab.popLast()
        BufferShapes.slab = slab
    } undo: {
        BufferShapes.slab = nil
    }

    private static let removedFromNode = former("a node that it was taken out of", using: "node") { made in
        let node = HashNode<String, Screen>(capacity: 4)
        node.insert("first", Screen())
        node.insert("second", made)
        _ = node.removeLast()
        BufferShapes.node = node
    } undo: {
        BufferShapes.node = nil
    }

    private static let numbersInDeque = former("numbers in a deque", using: "numbers") { made in
        numbers.append(Int(bitPattern: Unmanaged.passUnretained(made).toOpaque()))
    } undo: {
        numbers = Deque()
    }

    private static let wordsInSlab = former("words in a managed buffer", using: "wordSlab") { made in
        let slab = Slab<UInt>.make(capacity: 3)
        slab.append(UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()))
        wordSlab = slab
    } undo: {
        wordSlab = nil
    }

    private static let textsInSlab = former("texts where its address was", using: "textSlab") { made in
        let words = Slab<UInt>.make(capacity: 8)
        for _ in 0..<8 { words.append(UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque())) }
        wordSlab = words
        wordSlab = nil
        let texts = Slab<String>.make(capacity: 4)
        texts.append("one")
        textSlab = texts
    } undo: {
        textSlab = nil
    }
}
