import LifetimeTracer
import Testing

@testable import RetainPaths

/// The advice about what a closure captures.
@Suite struct ReportCaptureHintTests: JudgesPaths {
    let heap = MadeUpHeap()

    /// A closure in a static function has no `self` of the captured type.
    @Test func closureInStaticCodeIsNotAdvisedToCaptureSelf() throws {
        let make = heap.symbol("$s4Demo6ScreenC4makeACyFZyycfU_TA")
        let text = try round([heap.object("Demo.Screen", "done", edge: .function, code: make), heap.closure()]).text
        #expect(text.hasSuffix("Capture Screen weakly in the closure, [weak …]."), "\(text)")
        let bind = try round([heap.object("Demo.Screen", "done", edge: .function, code: code), heap.closure()]).text
        #expect(bind.hasSuffix("Capture Screen weakly in the closure ([weak self] if it is self)."), "\(bind)")
    }

    /// Nothing can be removed from an array that the closure has copied.
    @Test func elementsOfAConstantAreNotAdvisedToBeRemoved() throws {
        let own = heap.object("Demo.Screen", "done", edge: .function, code: code)
        let constant = try round([own, heap.closure(), heap.array(0)]).text
        #expect(
            constant.hasSuffix("Capture only what the closure needs of the array, and Screen weakly."), "\(constant)")
        let box = Step.made(.genericBox, at: heap.address())
        let variable = try round([own, heap.closure(), box, heap.array(0)]).text
        #expect(variable.hasSuffix("Remove Screen from the array that the closure captures."), "\(variable)")
    }
}
