import LifetimeTracer
import Testing

@testable import RetainPaths

/// The function in the name of a stack that holds an object.
@Suite struct ReportStackNameTests {
    private let heap = MadeUpHeap()
    private let method = "$s4Demo6ScreenC4bind_2toS2i_SStF"
    /// A version of `Sequence.sorted(by:)` in the program.
    private let sorting = "$sSTsE6sorted2bySay7ElementQzGSbAD_ADtKXE_tKFSaySiG_Tg5"
    private let ofLibrary = "$s7NIOCore6ScreenC4bind_2toS2i_SStF"

    /// An address inside a function, to which a call returns.
    ///
    /// The call is the function's last instruction, so only the address before is inside the function.
    private func inside(_ function: String, module: String = "Demo") -> UInt {
        heap.symbol(function, module: module, offset: 0x40) + 1
    }

    private func stack(_ functions: [UInt], isInCallee: Bool = false) -> HeapAnswer.Step {
        .made(.rootStack(thread: 7), at: heap.address(), edge: .conservative, isPrecise: false).with {
            $0.functions = functions
            $0.isInCallee = isInCallee
        }
    }

    private func name(_ functions: [UInt], isInCallee: Bool = false) throws -> String {
        let steps = [stack(functions, isInCallee: isInCallee), heap.end("Demo.Screen")]
        return try explain(.made(.reachable, steps), in: heap).path[0].name
    }

    @Test func innermostFunctionOfProgramIsNamed() throws {
        let own = inside(method)
        let others = [
            inside(Mangled.thunk), inside(ofLibrary), inside(sorting), inside("_dispatch_sema4_wait"),
            inside(method, module: "libDemo.so"), heap.unnamed() + 1, 0,
        ]
        #expect(try name([own]) == "stack of thread 7, in Screen.bind(_:to:)")
        #expect(try name([own, inside("main")]) == "stack of thread 7, in Screen.bind(_:to:)")
        #expect(try name([own], isInCallee: true) == "stack of thread 7, in a call from Screen.bind(_:to:)")
        #expect(try name(others + [own]) == "stack of thread 7, in a call from Screen.bind(_:to:)")
        #expect(try name([inside("main")]) == "stack of thread 7, in main")
        #expect(try name(others) == "stack of thread 7")
        #expect(try name([]) == "stack of thread 7")
    }

    @Test func elementBehindFunctionIsSetApart() throws {
        let text = try explain(
            .made(.reachable, [stack([inside(method)]), heap.array(3), heap.end("Demo.Screen")]), in: heap
        ).text()
        #expect(text.contains("stack of thread 7, in Screen.bind(_:to:) [3] (not certain)\n"), "\(text)")
        let plain = try explain(
            .made(.reachable, [stack([]), heap.array(3), heap.end("Demo.Screen")]), in: heap
        ).text()
        #expect(plain.contains("stack of thread 7[3] (not certain)\n"), "\(plain)")
    }

    @Test func functionIsNoPartOfSignature() throws {
        let explanation = try explain(
            .made(.reachable, [stack([inside(method)]), heap.end("Demo.Screen")]), in: heap)
        #expect(explanation.signature == "stack → Screen")
    }

    @Test func placeOfObjectOutsideHeapIsTold() throws {
        let type = TypeName(module: "Demo", name: "Screen")
        func text(_ step: HeapAnswer.Step?) throws -> RetainExplanation {
            var finding = HeapAnswer.Finding.made(.notFound, [])
            finding.steps = step.map { [$0] } ?? []
            return try explain(finding, in: heap, typeOfLive: type)
        }
        // Even the memory of an object may be left over from a call.
        let found = try text(stack([inside(method)]).with { $0.isPrecise = true })
        #expect(found.status == .notOnHeap && found.path.map(\.kind) == [.stack, .object])
        #expect(
            found.text() == """
                Screen #1 is live, but not on the heap: optimised code has placed it in the frame of a function, \
                because no reference leaves that function. The function holds it until its last use. If the function \
                has returned, the object's deinit was never called: it was retained too often.
                  stack of thread 7, in Screen.bind(_:to:) (not certain)
                  ↳ Screen

                """)
        #expect(try text(stack([])).text().contains("  stack of thread 7 (not certain)\n"))
        let unknown = try text(nil)
        #expect(unknown.status == .notOnHeap && unknown.path.isEmpty)
        #expect(
            unknown.text() == """
                Screen #1 is live, but was not found in memory: optimised code has left the object out, or keeps it in \
                the registers of a running function. If the function that created it has returned, its deinit was \
                never called: it was retained too often.

                """)
    }
}
