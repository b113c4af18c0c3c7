import Testing

@testable import LifetimeTracer

@Suite struct DemanglerTests {
    @Test(arguments: [
        ("$s4Demo5OuterV5InnerC4bindyyF", "Outer.Inner.bind()", "Demo.Outer.Inner.bind() -> ()"),
        (
            "$s4Demo5OuterV5InnerC4bindyyFySScfU_", "closure #1 in Outer.Inner.bind()",
            "closure #1 (Swift.String) -> () in Demo.Outer.Inner.bind() -> ()"
        ),
        ("$s4DemoySiYbcfU_", "closure #1 in Demo", "closure #1 @Sendable (Swift.Int) -> () in Demo"),
        (
            "$s4Demo5OuterV5InnerC4bindyyFTf4d_n", "Outer.Inner.bind()",
            "function signature specialization <Arg[0] = Dead> of Demo.Outer.Inner.bind() -> ()"
        ),
        (
            "$s4Demo6ScreenC10didsettingSivW", "Screen.didsetting.didSet", "Demo.Screen.didsetting.didSet : Swift.Int"
        ),
        ("$s4Demo6ScreenC5titleSivw", "Screen.title.willSet", "Demo.Screen.title.willSet : Swift.Int"),
        ("$s4Demo5OuterV5InnerCAEycfC", "Outer.Inner.init()", "Demo.Outer.Inner.init() -> Demo.Outer.Inner"),
    ])
    func swiftNamesAreReadable(mangled: String, brief: String, full: String) {
        #expect(Demangler.readableName(of: mangled) == brief)
        #expect(Demangler.fullName(of: mangled) == full)
    }

    @Test(arguments: ["malloc", "_ZNSt6vectorIiE4pushEv", "main", "", "$s", "$sabc", "$"])
    func namesNotMangledBySwiftStayUnchanged(name: String) {
        #expect(Demangler.readableName(of: name) == name)
        #expect(Demangler.fullName(of: name) == nil)
    }

    @Test(arguments: [
        ("Demo.(Priv in _94EBA0CE92FE335A1DC7B9E38B8E2D81).x : A", "Demo.Priv.x : A"),
        ("(a in _94E)(b in _1)<(c in _G)>", "ab<(c in _G)>"), ("f(x: Int) in _12", "f(x: Int) in _12"), ("(", "("),
        ("(a in _", "(a in _"), ("() -> ()", "() -> ()"),
    ])
    func privateDiscriminatorsAreRemoved(full: String, clean: String) {
        #expect(Demangler.withoutDiscriminators(full) == clean)
    }

    @Test(arguments: [
        ("Demo.(unknown context at $55f7e80fe370).Screen", "Demo.Screen"),
        ("(unknown context at $1).(unknown context at $2).L", "L"),
        ("(unknown context at $zz).L", "(unknown context at $zz).L"),
        ("(unknown context at $", "(unknown context at $"),
    ])
    func contextAddressesAreRemoved(name: String, clean: String) {
        #expect(Demangler.withoutAddresses(name) == clean)
    }
}

@Suite struct ReadableStackTests {
    private func symbol(_ mangled: String?, in module: String = "demo") -> Symbol {
        Symbol(
            name: mangled.map { Demangler.readableName(of: $0) } ?? Symbol.unnamed(in: module, at: 16),
            mangledName: mangled, module: module, offset: 1, moduleOffset: 16)
    }

    private let top: [String?] = [
        "lt_walk_stack", "lt_birth", "$s14LifetimeTracer14InstanceHandleV7birthOfyyF",
        "$s14LifetimeTracer12TracedObjectCACycfc",
    ]

    @Test func runtimeAndTracerFramesAreTrimmed() {
        var stack = top.map { symbol($0) }
        stack += ["$s4Demo6ScreenCACycfc", "$s4Demo6ScreenCACycfC", "$s4Demo4openyyF", "$sIg_Ieg_TR", "main"].map {
            symbol($0)
        }
        stack += [symbol(nil, in: "libc.so.6"), symbol("__libc_start_main", in: "libc.so.6"), symbol("_start")]
        #expect(ReadableStack.trimmed(stack).map(\.name) == ["Screen.init()", "open()", "main"])
        #expect(ReadableStack.trimmed(stack + [nil]).last?.name == "main")
    }

    @Test func loneAllocatingInitializerIsNamedAsInitializer() {
        let stack = ["$s4Demo6ScreenCACycfC", "$s4Demo4openyyF", "start_thread", "clone3"].map { symbol($0) }
        #expect(ReadableStack.trimmed(stack).map(\.name) == ["Screen.init()", "open()"])
    }

    @Test func aPartialApplicationFoldsIntoItsClosureOnly() {
        let closure = symbol("$s4Demo5OuterV5InnerC4bindyyFySScfU_")
        let forwarder = symbol("$s4Demo5OuterV5InnerC4bindyyFySScfU_TA")
        #expect(ReadableStack.trimmed([closure, forwarder]) == [closure])
        #expect(ReadableStack.trimmed([symbol("main"), forwarder]) == [symbol("main"), forwarder])
    }

    @Test func tracerFramesAreTrimmedOnlyAtTheTop() {
        let user = symbol("$s4Demo4openyyF")
        let scope = symbol("$s14LifetimeTracer0A8RegistryC11withCurrentyyF")
        #expect(ReadableStack.trimmed([scope, user, scope, user]) == [user, scope, user])
        #expect(ReadableStack.isTracerFrame(scope))
        // Other modules whose names begin in the same way, and an extension in another module.
        #expect(!ReadableStack.isTracerFrame(symbol("$s19LifetimeTracerTests13knownFunctionyyF")))
        #expect(!ReadableStack.isTracerFrame(symbol("$s14LifetimeTracer12TracedObjectC4DemoE4showyyF")))
        #expect(!ReadableStack.isTracerFrame(symbol(nil)))
    }

    @Test func stackOfOnlyTracerFramesIsNotTrimmed() {
        let stack = top.map { symbol($0) }
        #expect(ReadableStack.trimmed(stack) == stack)
        #expect(ReadableStack.trimmed([]).isEmpty && ReadableStack.trimmed([nil]).isEmpty)
        #expect(!ReadableStack.isRuntimeStart(symbol(nil)) && !ReadableStack.isRuntimeStart(symbol("main")))
    }
}
