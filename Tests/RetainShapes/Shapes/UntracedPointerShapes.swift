/// Objects that nobody traces, and that only a retained pointer in a tuple or an enum holds, as the callbacks of
/// libraries in C make programs keep them.
@MainActor enum UntracedPointerShapes {
    private enum Choice {
        case pointer(UnsafeMutableRawPointer)
        case numbered(Int, UnsafeMutableRawPointer)
        case none
    }

    private struct Entry {
        var pair: (number: Int, pointer: UnsafeMutableRawPointer?)
    }

    private final class Keeper {
        var choice = Choice.none
        var pair: (Int, UnsafeMutableRawPointer)?
    }

    private static var pairs: [(Int, UnsafeMutableRawPointer?)] = []
    private static var byNumber: [Int: (Int, OpaquePointer)] = [:]
    private static var choices: [Choice] = []
    private static var entries: [Entry] = []
    private static var unmanaged: [(number: Int, node: Unmanaged<PlainNode>)] = []
    private static let keeper = Keeper()

    static let all = [
        shape("a tuple of an array") { pairs.append((1, $0)) },
        shape("a tuple of a dictionary") { byNumber[1] = (1, OpaquePointer($0)) },
        shape("an optional tuple of an object") { keeper.pair = (1, $0) },
        shape("an enum of an object") { keeper.choice = .numbered(1, $0) },
        shape("an enum of an array") { choices.append(.pointer($0)) },
        shape("a tuple of a struct with one property") { entries.append(Entry(pair: (1, $0))) },
        shape("a tuple with an Unmanaged") { unmanaged.append((1, .fromOpaque($0))) },
    ]

    /// A shape in which `keep` stores the pointer to a retained object, which is also part of a cycle.
    private static func shape(
        _ name: String, _ keep: @escaping @MainActor @Sendable (UnsafeMutableRawPointer) -> Void
    ) -> Shape {
        Shape("untraced: retained pointer in \(name)", .held(.global("UntracedPointerShapes"))) {
            let node = PlainNode()
            node.next = node
            // Safe: the reference is released when the shape is removed, below.
            let pointer = Unmanaged.passRetained(node).toOpaque()
            keep(pointer)
            // The inverted form is no pointer.
            let hidden = ~UInt(bitPattern: pointer)
            return Planted {
                (pairs, byNumber, choices, entries, unmanaged) = ([], [:], [], [], [])
                (keeper.choice, keeper.pair) = (.none, nil)
                guard let pointer = UnsafeRawPointer(bitPattern: ~hidden) else { return }
                // Safe: the object was retained when it was planted.
                Unmanaged<PlainNode>.fromOpaque(pointer).takeRetainedValue().next = nil
            }
        }
    }
}
