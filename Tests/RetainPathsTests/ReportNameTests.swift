import LifetimeTracer
import Testing

@testable import RetainPaths

@Suite struct ReportNameTests {
    @Test(arguments: [
        (Mangled.closure2, "closure #2 (String) -> () in Screen.bind(_:to:)", "closure in Screen.bind(_:to:)"),
        (Mangled.closure2 + "TA", "closure #2 (String) -> () in Screen.bind(_:to:)", "closure in Screen.bind(_:to:)"),
        (Mangled.closure4, "closure #4 (Notification) -> () in Screen.bind(_:to:)", "closure in Screen.bind(_:to:)"),
        (
            Mangled.closure4 + "yyScMYcXEfU_TA", "closure #1 () -> () in closure #4 in Screen.bind(_:to:)",
            "closure in closure in Screen.bind(_:to:)"
        ),
        (Mangled.closure5, "closure #5 () async throws -> () in Screen.bind(_:to:)", "closure in Screen.bind(_:to:)"),
        (
            "$s4Demo6ScreenC4bind_2toS2i_SStKFyyYaKcfU3_TY1_",
            "closure #5 () async throws -> () in Screen.bind(_:to:)", "closure in Screen.bind(_:to:)"
        ),
        (
            "$s4Demo6ScreenC4bind_2toS2i_SStKFyyYaScMYccfU4_TATQ0_",
            "closure #6 () async -> () in Screen.bind(_:to:)", "closure in Screen.bind(_:to:)"
        ),
        (
            "$s4Demo6ScreenC4bind_2toS2i_SStKFyycACcfu_yycfu0_TA", "method reference in Screen.bind(_:to:)",
            "method reference in Screen.bind(_:to:)"
        ),
        (
            "$s4Demo6ScreenC4bind_2toS2i_SStKF5localL_yyFTATm", "local() in Screen.bind(_:to:)",
            "local() in Screen.bind(_:to:)"
        ),
        (
            "$s4Demo3HubC5onAnyyyyxclFySScfU_Si_Tg5TA", "closure #1 (String) -> () in Hub.onAny<A>(_:)",
            "closure in Hub.onAny<A>(_:)"
        ),
        ("$s4Demo6ScreenCACycfcyycfU_TATm", "closure #1 () -> () in Screen.init()", "closure in Screen.init()"),
        (
            "$s4Demo6ScreenC4nameSSvWyycfU_TA.4", "closure #1 () -> () in Screen.name.didSet",
            "closure in Screen.name.didSet"
        ),
        (
            "$s4Demo6ScreenC4makeACyFZyycfU_TA", "closure #1 () -> () in static Screen.make()",
            "closure in static Screen.make()"
        ),
        (
            "$s4Demo1EO7closureyycSgvpZfiyycfU_",
            "closure #1 () -> () in static E.closure", "closure in static E.closure"
        ),
        ("$sSa4DemoRlzClE4keepyyFyycfU_TA", "closure #1 () -> () in Array<A>.keep()", "closure in Array<A>.keep()"),
        ("$s4DemoyycfU_", "closure #1 () -> () in Demo", "closure in Demo"),
    ])
    func closureNameIsDerivedFromMangledSymbol(mangled: String, text: String, stable: String) {
        let read = ClosureName(MadeUpHeap.read(mangled))
        #expect(read.text == text)
        #expect(read.stable == stable)
        #expect(!read.isThunk)
    }

    @Test(arguments: [
        Mangled.thunk, "$sIeg_ytIegr_TR", "$sxIeAgHr_xs5Error_pIegHrzo_s8SendableRzs5NeverORs_r0_lTRTA.39Tu",
        "$sxIeAgHr_xs5Error_pIegHrzo_s8SendableRzs5NeverORs_r0_lTRyt_Tg5TA.47",
    ])
    func thunkSymbolIsRecognizedAsThunk(mangled: String) {
        #expect(ClosureName(MadeUpHeap.read(mangled)).isThunk)
    }

    @Test func namesAreDerivedFromFullDemangledForm() {
        let full = "closure #2 (Swift.String) -> () in Demo.Screen.bind(_: Swift.Int) throws -> Swift.Int"
        let name = ClosureName(readable: full, full: full)
        #expect(name.text == "closure #2 (String) -> () in Screen.bind(_:)")
        #expect(name.stable == "closure in Screen.bind(_:)")
        #expect(name.isWritten(in: "Screen"))
        let variable = HeapNames.NamedAddress(
            name: "static Demo.Hub.shared : Demo.Hub", mangledName: Mangled.hubShared, module: "Demo", offset: 0)
        #expect(RootName(variable).text == "static Hub.shared")
    }

    @Test func closureInStrippedProgramIsNamedByOffset() {
        let unnamed = HeapNames.NamedAddress(name: "exe+0x13df0", mangledName: nil, module: "exe", offset: 0)
        #expect(ClosureName(unnamed).text == "closure at exe+0x13df0")
        #expect(ClosureName(unnamed).stable == "closure")
        // The nearest symbol belongs to another function.
        let inside = HeapNames.NamedAddress(name: "main", mangledName: "main", module: "exe", offset: 8)
        #expect(ClosureName(inside).stable == "closure")
        #expect(ClosureName(nil).text == "closure")
    }

    @Test(arguments: [
        ("Screen", true), ("Demo", false), ("Scree", false), ("bind", false), ("", false),
    ])
    func closureIsAttributedToItsEnclosingType(type: String, isWritten: Bool) {
        #expect(ClosureName(MadeUpHeap.read(Mangled.closure2)).isWritten(in: type) == isWritten)
    }

    @Test(arguments: [
        (Mangled.hubShared, "static Hub.shared", true), (Mangled.cache, "global cache", true),
        (Mangled.privateGlobal, "global hidden", true), (Mangled.defaultCenter, "NotificationCenter.default", true),
        ("_dispatch_main_q", "the main queue", false), ("CFRunLoopGetMain.__main", "the main run loop", false),
        ("kCFSomething", "global kCFSomething of Demo", false),
    ])
    func rootNameIsDerivedFromVariableSymbol(mangled: String, text: String, isSwift: Bool) {
        let name = RootName(MadeUpHeap.read(mangled))
        #expect(name.text == text)
        #expect(name.isSwiftVariable == isSwift)
    }

    @Test(arguments: [
        ("Demo.Hub", "Hub"), ("Demo.Outer<Swift.Int>.Inner", "Outer<Int>.Inner"),
        ("(Swift.Int, (Swift.String) -> ())", "(Int, (String) -> ())"), ("Hub", "Hub"),
        ("(2.1, Swift.Int)", "(2.1, Int)"),
        ("(extension in Demo):Swift.Array<A>.keep()", "Array<A>.keep()"), ("Demo.A.B.C", "A.B.C"),
        ("@Swift.MainActor () async throws -> Demo.X", "@MainActor () async throws -> X"), ("Demo.`class`", "`class`"),
    ])
    func shortTypeNameOmitsModules(full: String, short: String) {
        #expect(ShortTypeName.of(full) == short)
    }

    @Test func longTypeNameOmitsInnermostArguments() {
        let inner = "Swift.Dictionary<Swift.String, Swift.Array<Swift.Optional<Demo.SomeVeryLongNameOfAType>>>"
        let short = ShortTypeName.of("Demo.Map<Demo.FlatMap<\(inner), \(inner)>, Swift.Optional<Swift.Int>>")
        #expect(short == "Map<FlatMap<Dictionary<String, Array<…>>, Dictionary<String, Array<…>>>, Optional<Int>>")
        #expect(ShortTypeName.of(String(repeating: "x", count: 500)).count == ShortTypeName.limit)
        #expect(ShortTypeName.withoutGenerics("Outer<(Int) -> ()>.Inner") == "Outer.Inner")
    }
}

extension MadeUpHeap {
    /// The name and module that the symboliser derives from a symbol.
    static func read(_ mangled: String) -> HeapNames.NamedAddress? {
        let heap = MadeUpHeap()
        let address = heap.symbol(mangled)
        return heap.names.symbol(address)
    }
}
