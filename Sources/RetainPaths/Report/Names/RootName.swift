import LifetimeTracer

/// The name of the variable in which a path begins.
struct RootName: Hashable {
    /// The name for users: `static Hub.shared`, `global cache`.
    let text: String
    /// Whether the symbol is that of a Swift variable.
    let isSwiftVariable: Bool
    /// The module that contains the variable; empty if it is not known.
    ///
    /// C variables of shared libraries and well-known variables of the system have the module of a library.
    private(set) var module = ""

    /// Whether the symbol is that of the variable's object, which the compiler laid out.
    private(set) var isOfObject = false
    /// Whether the variable is of a struct or enum that is not Swift's own, as far as the symbol tells.
    private(set) var isOfValue = false

    /// Reads the symbol of a word in an image's data; `nil` stands for a word without a symbol.
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
        // A part of a variable has the name of the variable.
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
            isOfObject = true
            return
        }
        // The mangled name of a variable ends with `v`, then `p`, then `Z` if the variable is static
        // (docs/ABI/Mangling.rst).
        let isVariable = mangled.hasSuffix("vp") || mangled.hasSuffix("vpZ")
        // If the runtime has no short form of a name, the full form with modules and the variable's type takes its
        // place.
        let readable = mangled == whole ? symbol.name : Demangler.readableName(of: mangled)
        let short = Self.withoutType(readable)
        let name = short == readable ? short : ShortTypeName.of(short)
        let isNamed = name.hasPrefix("static ") || !isVariable
        self.init(text: isNamed ? name : "global \(name)", isSwiftVariable: isVariable)
        module = Self.module(in: full)
        isOfValue = isVariable && Self.isValue(NameExpansion.pieces(ofTypeOfVariable: mangled) ?? [])
    }

    /// Whether a type is a struct or an enum, perhaps a generic one, that is not Swift's own.
    private static func isValue(_ type: [NameExpansion.Piece]) -> Bool {
        guard case .nominal(let path, _)? = type.first, path.kind != .aClass, path.names.first != "Swift" else {
            return false
        }
        // The name of an optional ends with `Sg`, and that of a generic type with `G`. A function or a tuple may begin
        // with such a type, too.
        let wrapped = type.reversed().drop { $0 == .text("Sg") }
        return wrapped.count == 1 || wrapped.first == .text("G")
    }

    /// Reads the symbol of an object in an image's data.
    ///
    /// The compiler lays out such an object as the initial value of a variable, if it can do so without running code.
    init(ofStaticObject symbol: HeapNames.NamedAddress?) {
        // With any type and the mark of a static variable instead of its end, the name is that of the variable.
        guard let mangled = symbol?.mangledName, Demangler.isSwift(mangled),
            let end = mangled.place(of: Self.staticObjectMark)
        else {
            self.init(text: "a constant", isSwiftVariable: true)
            return
        }
        let variable = "\(mangled[..<end.lowerBound])Sivp"
        let inType = Demangler.fullName(of: "\(variable)Z").map(Self.withoutType) ?? ""
        // A global variable is not inside a type: `static Demo.shared`.
        let isStatic = inType.filter { $0 == "." }.count > 1
        let text = ShortTypeName.withoutModules(inType.dropFirst("static ".count))
        self.init(text: "\(isStatic ? "static" : "global") \(text)", isSwiftVariable: true)
        module = Self.module(in: inType)
    }

    /// `6shared_WZTv_` contains the initializer of a variable, and its outlined object (docs/ABI/Mangling.rst: `WZ`,
    /// `Tv`).
    private static let staticObjectMark = "_WZTv"

    private init(text: String, isSwiftVariable: Bool) {
        self.text = text
        self.isSwiftVariable = isSwiftVariable
    }

    /// Dispatch's list of all running timers.
    static let dispatchTimers = "Dispatch's timers"

    /// Dispatch's list of all sources of events in files and sockets.
    static let dispatchSources = "Dispatch's event sources"

    /// Variables with a name that users know better than the symbol.
    private static let wellKnown = [
        "FoundationEssentials._defaultCenter": "NotificationCenter.default",
        "static Foundation.NotificationCenter._defaultCenter": "NotificationCenter.default",
        "_dispatch_main_q": "the main queue", "_dispatch_timers_heap": Self.dispatchTimers,
        "_dispatch_sources": Self.dispatchSources, "_dispatch_root_queues": "Dispatch's global queues",
        "_dispatch_mgr_q": "Dispatch's manager queue", "__CFRunLoops": "the run loops",
        "__CFMainRunLoop": "the main run loop", "CFRunLoopGetMain.__main": "the main run loop",
    ]

    /// Whether a name is that of a well-known variable of the system.
    static func isWellKnown(_ name: String) -> Bool {
        wellKnown.values.contains(name)
    }

    /// The module of the system's variables.
    private static let system = "Swift"

    /// The module of a C variable.
    ///
    /// Only the name of the file shows whether the variable is a library's.
    private static func library(_ symbol: HeapNames.NamedAddress) -> String {
        symbol.module.hasPrefix("lib") ? system : ""
    }

    /// The module in a full name.
    ///
    /// `static Demo.Hub.shared : Demo.Hub` and `static (extension in Demo):Swift.Array.shared : Swift.Int` are of Demo.
    private static func module(in full: String) -> String {
        var rest = full[...]
        for mark in ["static ", "(extension in "] where rest.hasPrefix(mark) { rest = rest.dropFirst(mark.count) }
        return String(rest.prefix { $0 != "." && $0 != ")" })
    }

    /// The name without the type behind the colon, as in `static Demo.Hub.shared : Demo.Hub`.
    private static func withoutType(_ name: String) -> String {
        name.placeOutsideBrackets(of: " : ").map { String(name[..<$0.lowerBound]) } ?? name
    }
}
