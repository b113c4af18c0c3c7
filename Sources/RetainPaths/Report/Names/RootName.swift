import LifetimeTracer

/// The name of a variable from which a path starts.
struct RootName: Hashable {
    /// For people: `static Hub.shared`, `global cache`.
    let text: String
    /// Whether the symbol says that it is a variable of Swift's, whose first word is in question.
    let isSwiftVariable: Bool
    /// The module that the variable is written in; empty where it is not known.
    ///
    /// For a variable of C in a shared library, and for the system's, that of a library.
    private(set) var module = ""

    /// Reads the symbol of a word in an image's data; `nil` is one without a symbol.
    init(_ symbol: HeapNames.NamedAddress?) {
        guard let symbol else {
            self.init(text: "a global variable", isSwiftVariable: false)
            return
        }
        guard let whole = symbol.mangledName else {
            self.init(text: "global at \(symbol.name)", isSwiftVariable: false)
            module = Self.library(symbol)
            return
        }
        // Of a part of a variable the name is the variable's.
        let mangled = VariableNames.withoutPart(whole)
        let full = Demangler.fullName(of: mangled) ?? mangled
        if let wellKnown = Self.wellKnown[Self.withoutType(full)] {
            self.init(text: wellKnown, isSwiftVariable: Demangler.isSwift(mangled))
            module = Self.system
            return
        }
        guard Demangler.isSwift(mangled) else {
            self.init(text: "global \(symbol.name) of \(symbol.module)", isSwiftVariable: false)
            module = Self.library(symbol)
            return
        }
        if mangled.place(of: Self.staticObjectMark) != nil {
            self.init(ofStaticObject: symbol)
            return
        }
        // A variable (docs/ABI/Mangling.rst: `v`, then `p`; `Z` when it is static).
        let isVariable = mangled.hasSuffix("vp") || mangled.hasSuffix("vpZ")
        // Where the runtime has no short form, the full one comes for it, with modules and the variable's type.
        let readable = mangled == whole ? symbol.name : Demangler.readableName(of: mangled)
        let short = Self.withoutType(readable)
        let name = short == readable ? short : ShortTypeName.of(short)
        let isNamed = name.hasPrefix("static ") || !isVariable
        self.init(text: isNamed ? name : "global \(name)", isSwiftVariable: isVariable)
        module = Self.module(in: full)
    }

    /// Reads the symbol of an object that the compiler laid down in an image's data, as the value of a variable that it
    /// could make without running anything.
    init(ofStaticObject symbol: HeapNames.NamedAddress?) {
        // With some type and the mark of a static variable in place of the end it is the variable's own name.
        guard let mangled = symbol?.mangledName, Demangler.isSwift(mangled),
            let end = mangled.place(of: Self.staticObjectMark)
        else {
            self.init(text: "a constant", isSwiftVariable: true)
            return
        }
        let variable = "\(mangled[..<end.lowerBound])Sivp"
        let inType = Demangler.fullName(of: "\(variable)Z").map(Self.withoutType) ?? ""
        // `static Demo.shared` has no type around it: that is a global.
        let isStatic = inType.filter { $0 == "." }.count > 1
        let text = ShortTypeName.withoutModules(inType.dropFirst("static ".count))
        self.init(text: "\(isStatic ? "static" : "global") \(text)", isSwiftVariable: true)
        module = Self.module(in: inType)
    }

    /// In `6shared_WZTv_` the initializer of a variable, and its outlined object (docs/ABI/Mangling.rst: `WZ`, `Tv`).
    private static let staticObjectMark = "_WZTv"

    private init(text: String, isSwiftVariable: Bool) {
        self.text = text
        self.isSwiftVariable = isSwiftVariable
    }

    /// Dispatch's list of all timers that run.
    static let dispatchTimers = "Dispatch's timers"

    /// Variables that people know by another name.
    private static let wellKnown = [
        "FoundationEssentials._defaultCenter": "NotificationCenter.default",
        "static Foundation.NotificationCenter._defaultCenter": "NotificationCenter.default",
        "_dispatch_main_q": "the main queue", "_dispatch_timers_heap": Self.dispatchTimers,
        "_dispatch_sources": "Dispatch's event sources", "_dispatch_root_queues": "Dispatch's global queues",
        "_dispatch_mgr_q": "Dispatch's manager queue", "__CFRunLoops": "the run loops",
        "__CFMainRunLoop": "the main run loop",
    ]

    /// What stands for the module of the system's variables.
    private static let system = "Swift"

    /// Of variables of C the name of the file alone tells whose they are.
    private static func library(_ symbol: HeapNames.NamedAddress) -> String {
        symbol.module.hasPrefix("lib") ? system : ""
    }

    /// `static Demo.Hub.shared : Demo.Hub` and `static (extension in Demo):Swift.Array.shared : Swift.Int` are of Demo.
    private static func module(in full: String) -> String {
        var rest = full[...]
        for mark in ["static ", "(extension in "] where rest.hasPrefix(mark) { rest = rest.dropFirst(mark.count) }
        return String(rest.prefix { $0 != "." && $0 != ")" })
    }

    /// `static Demo.Hub.shared : Demo.Hub` without what follows the colon.
    private static func withoutType(_ name: String) -> String {
        name.placeOutsideBrackets(of: " : ").map { String(name[..<$0.lowerBound]) } ?? name
    }
}
