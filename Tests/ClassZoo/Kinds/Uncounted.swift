import Foundation

/// Things on the heap that are no instances of classes, and instances that may be on the stack.
enum Uncounted {
    static func visitAll() {
        closures()
        boxes()
        stack()
    }

    private static func closures() {
        var sum = 0
        let add: [(Int) -> Void] = (0..<20).map { number in { sum += $0 + number } }
        for each in add { each(1) }
        show(sum as NSNumber)
    }

    private static func boxes() {
        var values: [Any] = []
        var plains = 0
        for _ in 0..<4 {
            values.append(BigValue())
            values.append(Tree.branch(.leaf(Plain()), .branch(.leaf(Plain()), .leaf(Plain()))))
            plains += 4
        }
        show(values as NSArray)
        values.removeLast(4)
        kept.append(Keeper(values))
        // And those of Failable, Throwing and ThrowingLeaf, and of ObjectBuffer: see there.
        let failable = (0 + 1 + 2 + 2 + 2 + 2, 2)
        let throwing = (0 + 1 + 1 + 1 + 1, 1)
        let throwingLeaf = (0 + 1 + 2 + 2 + 2 + 2 + 2, 2)
        let objectBuffer = (0 + 1 + 2 + 3 + 3, 2 + 3 + 3)
        plains += failable.0 + throwing.0 + throwingLeaf.0 + objectBuffer.0
        expected.append(("Plain", plains, 8 + failable.1 + throwing.1 + throwingLeaf.1 + objectBuffer.1))
        expected.append(("Keeper", 1, 1))
    }

    /// An optimised build places these objects on the stack.
    private static func stack() {
        var sum = 0
        for number in 0..<1000 {
            let local = OnStack(number)
            sum += sumOf(local)
        }
        show(sum as NSNumber)
    }
}

/// Neither keeps its object nor is inlined, so the object may be on the stack.
@inline(never) private func sumOf(_ object: OnStack) -> Int { object.number + object.extra.count }

final class Keeper {
    var values: [Any]
    init(_ values: [Any]) { self.values = values }
}
final class OnStack {
    let number: Int
    var extra = [1]
    init(_ number: Int) { self.number = number }
}
