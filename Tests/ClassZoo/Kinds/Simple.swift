import ClassZooNeighbour
import Foundation

/// Objects that are created and released without anything special.
enum Simple {
    static func visitAll() {
        let log = Log()
        kept.append(log)
        expected.append(("Log", 1, 1))
        visit("Final") { Final("word \($0)") }
        visit("Empty") { _ in Empty() }
        visit("Base") { _ in Base() }
        visit("Middle") { _ in Middle() }
        visit("Leaf") { _ in Leaf() }
        visit("OddSize") { _ in OddSize() }
        visit("OddTail") { _ in OddTail() }
        visit("Wide") { _ in Wide() }
        visit("Enormous") { _ in Enormous() }
        visit("Aligned") { _ in Aligned() }
        visit("WithDeinit") { _ in WithDeinit(log) }
        visit("Farewell") { _ in Farewell(log) }
        visit("Lazy") { number in
            let lazy = Lazy()
            if number > 2 {
                lazy.child = LazyChild()
                show(lazy.child)
            }
            return lazy
        }
        expected.append(("LazyChild", 2, 2))
        visit("Observed") {
            let it = Observed()
            it.number = $0
            return it
        }
        visit("Generic<Swift.Int>") { Generic($0) }
        visit("Generic<Swift.String>") { Generic("\($0)") }
        visit("Generic<Swift.Array<Swift.Optional<Swift.Double>>>") { _ in Generic([Double?.none, 1]) }
        visit("GenericLeaf<Swift.Int>") { GenericLeaf([$0]) }
        visit("ConcreteLeaf") { ConcreteLeaf($0) }
        visit("Outer.Nested") { _ in Outer.Nested() }
        visit("Outer.Inner<Swift.Int>.Deep") { _ in Outer.Inner<Int>.Deep() }
        visit("Hidden") { _ in makeHidden() }
        visit("Local") { _ in makeLocal() }
        visit("FromNeighbour") { _ in FromNeighbour() }
        visit("FromNeighbourGeneric") { FromNeighbourGeneric("\($0)") }
        visit("FromNeighbourAgain<Swift.Int>") { FromNeighbourAgain($0) }
        visit("NeighbourBase") { _ in NeighbourBase() }
        visit("NeighbourFinal") { NeighbourFinal("\($0)") }
        visit("NeighbourGeneric<Swift.Int>") { NeighbourGeneric($0) }
        visit("NeighbourInlined") { makeNeighbourInlined($0) }
        visit("NeighbourHidden") { makeNeighbourHidden($0) }
        visit("Required") { Required($0) }
        visit("RequiredLeaf") {
            let type: Required.Type = RequiredLeaf.self
            return type.init($0)
        }
        visit("Made") { _ in make(Made.self) }
        visit("Shown") { _ in
            let it = Shown()
            show("\(it)" as NSString)
            return it
        }
        visit("Coded") { number in
            // The first four are created by the program, the fifth by a decoder.
            guard number == 4 else { return Coded() }
            guard let it = try? JSONDecoder().decode(Coded.self, from: Data(#"{"text":"","numbers":[]}"#.utf8)) else {
                return Coded()
            }
            return it
        }
        visit("Keyed") {
            let it = Keyed($0)
            show(Set([it]).first)
            return it
        }
        visit("Wrong") { _ in do { throw Wrong() } catch { return error as? Wrong ?? Wrong() } }
        visit("Sequenced") { _ in
            let it = Sequenced()
            show(Generic(Array(it)))
            return it
        }
        expected.append(("Generic<Swift.Array<Swift.Int>>", 5, 0))
        visit("Described") { _ in Described() }
        visit("Formatted") { _ in Formatted() }
        visit("Worked") { _ in
            let it = Worked()
            it.start()
            return it
        }
        visit("OwnDecoder") { _ in OwnDecoder() }
        visit("Executed") { _ in Executed() }
        visit("Isolated") { _ in Isolated() }
        visit("Actor") { _ in Actor() }
    }
}
