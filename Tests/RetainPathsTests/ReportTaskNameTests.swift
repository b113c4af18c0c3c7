import LifetimeTracer
import Testing

@testable import RetainPaths

/// The name of a task that holds an object in a variable of a function.
@Suite struct ReportTaskNameTests {
    private let heap = MadeUpHeap()

    /// The part of `Screen.bind(_:to:)` behind an `await`, its fifth closure, and functions of Swift's libraries.
    private let method = "$s4Demo6ScreenC4bind_2toS2i_SStYaFTY1_"
    private let closure = "$s4Demo6ScreenC4bind_2toS2i_SStKFyyYaKcfU3_TY1_"
    private let ofSwift = "$ss22withUnsafeContinuation9isolation_xScA_pSgYi_ySccyxs5NeverOGXEtYalFTY0_"
    private let ofLibrary = "$s7NIOCore6ScreenC4bind_2toS2i_SStYaFTY1_"
    private let ofC = "_ZL23task_future_wait_resumePN5swift12AsyncContextE"

    /// A task whose frames run some functions, and which holds the next step in the innermost of them.
    private func task(_ functions: [UInt], at address: UInt? = nil) -> HeapAnswer.Step {
        .made(.task, at: address ?? heap.address(), edge: .conservative, isPrecise: false)
            .with { $0.functions = functions }
    }

    private func path(_ steps: [HeapAnswer.Step]) throws -> RetainExplanation {
        try explain(.made(.reachable, [heap.root(Mangled.cache)] + steps), in: heap)
    }

    @Test func taskIsNamedByFunctionOfFrame() throws {
        let steps = [task([heap.symbol(method), heap.symbol(closure)]), heap.end("Demo.Screen")]
        let answer = try path(steps)
        #expect(answer.path[1].name == "Task in Screen.bind(_:to:)")
        #expect(answer.path[1].kind == .task)
        #expect(answer.text().contains("↳ Task in Screen.bind(_:to:) (not certain)\n"))
    }

    @Test(arguments: [(Mangled.hubShared, " of static Hub.shared"), (Mangled.closure1, "")])
    func taskWithTaskLocalValueIsNamedByItsVariable(symbol: String, name: String) throws {
        let value = task([heap.symbol(symbol)]).with { $0.isTaskLocal = true }
        let text = "Task with a task-local value\(name)"
        #expect(try path([value, heap.end("Demo.Screen")]).path[1].name == text)
        // The function that the task runs tells the tasks apart that have inherited the value.
        let running = task([heap.symbol(symbol), heap.symbol(method)]).with { $0.isTaskLocal = true }
        #expect(
            try path([running, heap.end("Demo.Screen")]).path[1].name
                == "Task in Screen.bind(_:to:) with a task-local value\(name)")
        let unknown = task([0]).with { $0.isTaskLocal = true }
        #expect(try path([unknown, heap.end("Demo.Screen")]).path[1].name == "Task with a task-local value")
    }

    @Test func elementInVariableOfTaskIsSetApart() throws {
        let array = heap.array(3)
        let answer = try path([task([heap.symbol(method)]), array, heap.end("Demo.Screen")])
        #expect(answer.text().contains("↳ Task in Screen.bind(_:to:) [3] (not certain)\n"), "\(answer.text())")
        let plain = try path([task([]), array, heap.end("Demo.Screen")])
        #expect(plain.text().contains("↳ Task[3] (not certain)\n"), "\(plain.text())")
    }

    @Test func functionsOfLibrariesNameTaskOnlyWithoutThoseOfProgram() throws {
        let own = heap.symbol(closure)
        let others = [ofSwift, ofC, Mangled.thunk].map { heap.symbol($0) } + [heap.unnamed(), 0]
        func name(_ functions: [UInt]) throws -> String {
            try path([task(functions), heap.end("Demo.Screen")]).path[1].name
        }
        #expect(try name(others + [heap.symbol(ofLibrary), own]) == "Task in closure #5 in Screen.bind(_:to:)")
        #expect(try name(others + [heap.symbol(ofLibrary)]) == "Task in Screen.bind(_:to:)")
        #expect(try name(others) == "Task")
        #expect(try name([heap.symbol(method, offset: 0x40)]) == "Task")
        #expect(try name([]) == "Task")
    }

    @Test func closureBehindTaskTellsFunctionOnlyOnce() throws {
        func names(_ function: String, _ code: String) throws -> [String] {
            let held = task([heap.symbol(function)]).with {
                $0.edge = .function
                $0.code = heap.symbol(code)
            }
            return try path([held, heap.closure(), heap.end("Demo.Screen")]).path.map(\.name)
        }
        #expect(try names(method, Mangled.closure1)[1] == "Task")
        #expect(try names(closure, Mangled.closure5)[1] == "Task")
        #expect(try names(method, Mangled.hubClosure)[1] == "Task in Screen.bind(_:to:)")
    }

    @Test func functionIsNoPartOfFingerprintAndSignature() throws {
        let unnamed = try path([task([]), heap.end("Demo.Screen")])
        let named = try path([task([heap.symbol(method)]), heap.end("Demo.Screen")])
        #expect(named.signature == unnamed.signature)
        #expect(named.signature.contains("→ Task →"))
        func cycle(_ functions: [UInt]) throws -> RetainExplanation {
            let steps = [heap.object("Demo.Screen", "work"), task(functions).with { $0.isPrecise = true }]
            return try explain(.made(.cycle, steps, cycle: 0...1), in: heap)
        }
        let fingerprint = try unwrapped(cycle([]).fingerprint)
        #expect(try cycle([heap.symbol(method)]).fingerprint == fingerprint)
    }

    @Test func memoryOfTaskWithoutTaskIsShownWithFunction() throws {
        let mark = heap.symbol("_ZN5swift25TaskAllocatorSlabMetadataE", module: "libswift_Concurrency.so")
        func memory(_ functions: [UInt]) -> HeapAnswer.Step {
            .made(.block, at: heap.address(), metadata: mark, edge: .conservative, isPrecise: false)
                .with { $0.functions = functions }
        }
        let named = try path([memory([heap.symbol(method)]), heap.end("Demo.Screen")])
        let unnamed = try path([memory([]), heap.end("Demo.Screen")])
        #expect(named.path[1].name == "Task in Screen.bind(_:to:)")
        #expect(named.path[1].kind == .task && !named.path[1].isFolded)
        #expect(unnamed.path[1].isFolded)
        #expect(named.signature == unnamed.signature)
    }
}
