import Dispatch
import Foundation

/// Objects that nobody traces, and that are not leaked: a root holds them, or nothing holds a part of a cycle.
@MainActor enum UntracedHeldShapes {
    private static var root: PlainNode?
    private static var action: (() -> Void)?
    private static var registration: (any NSObjectProtocol)?
    private static let queue = DispatchQueue(label: "untraced")

    static let all = [
        held("cycle of a variable") { root in
            root.next = PlainNode()
            root.next?.next = root
        },
        held("weak reference to the parent") { root in
            root.next = PlainNode()
            root.next?.weakly = root
        },
        held("unowned reference to the parent") { root in
            root.next = PlainNode()
            root.next?.unownedly = root
        },
        held("weak reference to itself") { $0.weakly = $0 },
        held("cycle far behind a variable") { root in
            let node = PlainNode()
            node.action = { node.touch() }
            root.nested["a"] = [PlainNode(), node]
        },
        captured, observing, waiting,
    ]

    /// A shape that a static variable holds, and that frees all objects.
    private static func held(_ name: String, _ build: @escaping @MainActor @Sendable (PlainNode) -> Void) -> Shape {
        Shape("untraced: \(name)", .held(.global("root"))) {
            let node = PlainNode()
            build(node)
            root = node
            return Planted {
                // Cycles behind the variable would otherwise stay.
                let behind = root?.nested["a"] ?? []
                for node in behind + [root].compactMap(\.self) { (node.next, node.action) = (nil, nil) }
                root = nil
            }
        }
    }

    private static let captured = Shape("untraced: cycle of a closure in a variable", .held(.global("action"))) {
        let node = PlainNode()
        node.next = node
        action = { node.touch() }
        let hidden = Hidden(node)
        return Planted {
            hidden.object.next = nil
            action = nil
        }
    }

    private static let observing = Shape("untraced: cycle of an observer", .held(.global("registration"))) {
        let node = PlainNode()
        node.next = node
        registration = NotificationCenter.default.addObserver(forName: .init("untraced"), object: nil, queue: nil) {
            [box = UncheckedNode(node)] _ in withExtendedLifetime(box) {}
        }
        let hidden = Hidden(node)
        return Planted {
            hidden.object.next = nil
            if let registration { NotificationCenter.default.removeObserver(registration) }
            registration = nil
        }
    }

    private static let waiting = Shape("untraced: cycle of a block in a queue", .held(.global("queue"))) {
        let node = PlainNode()
        node.next = node
        queue.suspend()
        queue.async { [box = UncheckedNode(node)] in withExtendedLifetime(box) {} }
        let hidden = Hidden(node)
        return Planted {
            hidden.object.next = nil
            queue.resume()
            // The queue has freed the block before it runs the next one.
            queue.sync {}
        }
    }

    /// A node in a closure that never uses it.
    ///
    /// `@unchecked Sendable` is safe because only the main thread uses the node.
    private final class UncheckedNode: @unchecked Sendable {
        private let node: PlainNode

        init(_ node: PlainNode) { self.node = node }
    }
}
