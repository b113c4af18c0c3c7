import LifetimeTracer

/// The name of a closure, from the function beside its context.
struct ClosureName: Hashable {
    /// The name for users: `closure #2 (String) -> () in DetailScreen.bind()`.
    let text: String
    /// The name in a sentence: `closure #2 in DetailScreen.bind()`.
    let brief: String
    /// The name in fingerprints, which is the same in every run and build: `closure in DetailScreen.bind()`.
    ///
    /// It has no number, because it is chance which of several closures that hold the same object a search meets first.
    /// All closures in a function therefore share it.
    let stable: String
    /// The function that contains the closure, or the function itself: `DetailScreen.bind()`; empty if it is not known.
    let place: String
    /// Whether the symbol is that of a function that is called with a context, rather than any function.
    var takesContext = false
    /// Whether code of C calls the function, without a context of Swift.
    var isCalledByC = false
    /// The module of that function; empty if it is not known.
    var module = ""
    /// Whether the function is not in source code, but passes calls on to another function.
    let isThunk: Bool

    /// The name of a closure whose function is not known.
    static let unknown = Self(text: "closure", brief: "closure", stable: "closure", place: "", isThunk: false)

    /// Reads the name of a function; `nil` stands for a function without a symbol.
    init(_ symbol: HeapNames.NamedAddress?) {
        guard let symbol else {
            self = .unknown
            return
        }
        // A closure's code begins at its symbol. At another offset, the nearest symbol is that of another function, as
        // in a stripped program.
        guard let mangled = symbol.mangledName, symbol.offset == 0 else {
            let place = symbol.mangledName == nil ? symbol.name : symbol.module
            self.init(
                text: "closure at \(place)", brief: "closure at \(place)", stable: "closure", place: "", isThunk: false)
            return
        }
        let full = Demangler.fullName(of: mangled) ?? symbol.name
        self.init(readable: symbol.name, full: full)
        // Without Objective-C, only the functions that C calls have this mark.
        if full.hasPrefix("@objc ") {
            isCalledByC = true
            takesContext = false
        }
    }

    /// Makes the names from the short and the full readable form of a function's name.
    init(readable: String, full: String) {
        let short = Self.withoutVersions(readable)
        guard !Self.thunkMarks.contains(where: { short.hasPrefix($0) }) else {
            let name = "thunk"
            self.init(text: name, brief: name, stable: name, place: "", isThunk: true)
            takesContext = !Self.isWhatFollowsACall(full)
            return
        }
        // If the runtime has no short form of a name, `readable` is the full form.
        let brief = Self.withoutMethodSteps(readable == full ? Self.shortForm(of: short) : short)
        let (head, whole) = Self.parts(of: brief)
        let place = Self.withoutInitialValue(whole)
        guard !place.isEmpty else {
            self.init(text: head, brief: head, stable: head, place: head, isThunk: false)
            module = Self.module(in: full)
            takesContext = readable.hasPrefix("partial apply ")
            return
        }
        let signature = Self.signature(in: Self.withoutVersions(full))
        let name = Self.localFunctionName(head)
        let isWritten = name == nil && head.place(of: " #") != nil
        self.init(
            text: "\(name ?? head)\(isWritten && !signature.isEmpty ? " \(signature)" : "") in \(place)",
            brief: "\(name ?? head) in \(place)",
            stable: Self.withoutNumbers("\(name ?? head) in \(place)"),
            place: String(Self.innermost(place)), isThunk: false)
        module = Self.module(in: full)
        takesContext = !Self.isWhatFollowsACall(full)
    }

    private init(text: String, brief: String, stable: String, place: String, isThunk: Bool) {
        self.text = text
        self.brief = brief
        self.stable = stable
        self.place = place
        self.isThunk = isThunk
    }

    /// Whether the closure is part of `Task.sleep`: `closure #1 in closure #1 in static Task<>._sleep<A>(…)`.
    var isOfSleep: Bool {
        stable.contains("in static Task<") && [">._sleep", ">.sleep("].contains { stable.place(of: $0) != nil }
    }

    /// The module of a function, also of one of the parts of an async function; empty if it is not known.
    static func module(of symbol: HeapNames.NamedAddress) -> String {
        symbol.mangledName.flatMap { Demangler.fullName(of: $0) }.map { module(in: withoutVersions($0)) } ?? ""
    }

    private static let staticMark = "static "

    /// Whether the closure is in a static or class function, or in an operator of a type.
    var isInStaticCode: Bool { place.hasPrefix(Self.staticMark) }

    /// Whether the closure is in the code of a type, so that a captured object of that type may be `self`.
    func isWritten(in type: String) -> Bool {
        var place = ShortTypeName.withoutGenerics(self.place)[...]
        if isInStaticCode { place = place.dropFirst(Self.staticMark.count) }
        return !type.isEmpty && place.hasPrefix(ShortTypeName.withoutGenerics(type) + ".")
    }
}

extension ClosureName {
    private static let thunkMarks = ["thunk for ", "reabstraction thunk helper ", "reabstraction thunk from "]

    /// The prefixes of the names of versions of a function that compilers make.
    ///
    /// To users, all versions are the same function.
    private static let versionMarks = [
        "partial apply forwarder for ", "partial apply for ", "merged ", "specialized ", "async function pointer to ",
        "await resume partial function for ", "suspend resume partial function for ",
    ]

    /// Whether the function is the part of an async function after a call.
    ///
    /// Its address is in the callee's frame, before the first variable, and it takes no context of a closure.
    private static func isWhatFollowsACall(_ full: String) -> Bool {
        full.place(of: " resume partial function for ") != nil
    }

    private static func withoutVersions(_ name: String) -> String {
        var rest = name[...]
        search: while true {
            for mark in versionMarks where rest.hasPrefix(mark) {
                rest = rest.dropFirst(mark.count)
                continue search
            }
            // "(1) await resume …"
            if rest.hasPrefix("("), let close = rest.place(of: ") "),
                rest[rest.index(after: rest.startIndex)..<close.lowerBound].allSatisfy(\.isNumber)
            {
                rest = rest[close.upperBound...]
                continue search
            }
            // "generic specialization <Swift.Int> of …", "function signature specialization <Arg[0] = Dead> of …"
            if let word = rest.place(of: "specialization <"),
                rest[..<word.lowerBound].allSatisfy({ $0 != "#" && $0 != "." }),
                let end = rest[word.lowerBound...].placeOutsideBrackets(of: " of ")
            {
                rest = rest[end.upperBound...]
                continue search
            }
            return String(rest)
        }
    }

    /// The full form of a name, shortened like the runtime's short form:
    /// `closure #2 (Swift.Int) -> () in Demo.Screen.bind(to: Swift.Int) -> ()` becomes
    /// `closure #2 in Screen.bind(to:)`.
    private static func shortForm(of full: String) -> String {
        var rest = ShortTypeName.withoutModules(full)[...]
        var heads: [Substring] = []
        while let word = rest.placeOutsideBrackets(of: " in ") {
            let head = rest[..<word.lowerBound]
            let end = head.place(of: "closure #").map { head[$0.upperBound...].drop(while: \.isNumber).startIndex }
            heads.append(head[..<(end ?? head.endIndex)])
            rest = rest[word.upperBound...]
        }
        let open = rest.firstIndex(of: "(")
        guard let open, let end = rest[open...].dropFirst().placeOutsideBrackets(of: ")") else {
            // A name without parameters is that of a variable, or of the code at the top level of a file.
            heads.append(rest.placeOutsideBrackets(of: " : ").map { rest[..<$0.lowerBound] } ?? rest)
            return heads.joined(separator: " in ")
        }
        heads.append(rest[..<open] + "(\(labels(rest[rest.index(after: open)..<end.lowerBound])))")
        return heads.joined(separator: " in ")
    }

    /// The labels of parameters: `_: Int, to: String` becomes `_:to:`.
    private static func labels(_ arguments: Substring) -> String {
        var rest = arguments
        var labels = ""
        while !rest.isEmpty {
            let end = rest.placeOutsideBrackets(of: ", ")
            let argument = rest[..<(end?.lowerBound ?? rest.endIndex)]
            labels += "\(argument.placeOutsideBrackets(of: ": ").map { argument[..<$0.lowerBound] } ?? "_"):"
            rest = end.map { rest[$0.upperBound...] } ?? ""
        }
        return labels
    }

    /// The name without the two closures that the compiler makes for a reference to a method:
    /// `implicit closure #2 in implicit closure #1 in Screen.bind()` becomes `method reference in Screen.bind()`.
    private static func withoutMethodSteps(_ name: String) -> String {
        let mark = "implicit closure #"
        guard name.hasPrefix(mark), let end = name.placeOutsideBrackets(of: " in "),
            name[end.upperBound...].hasPrefix(mark),
            let place = name[end.upperBound...].placeOutsideBrackets(of: " in ")
        else { return name }
        return "method reference in \(name[place.upperBound...])"
    }

    /// The name itself, and the place of its code: `closure #2` and `DetailScreen.bind()`.
    private static func parts(of name: String) -> (head: String, place: String) {
        guard let word = name.placeOutsideBrackets(of: " in ") else { return (name, "") }
        return (String(name[..<word.lowerBound]), String(name[word.upperBound...]))
    }

    /// The last of several places: for `closure #2 in Screen.bind()` it is `Screen.bind()`.
    private static func innermost(_ place: String) -> Substring {
        var rest = place[...]
        while let word = rest.placeOutsideBrackets(of: " in ") { rest = rest[word.upperBound...] }
        return rest
    }

    /// The type of a closure, without modules and attributes: `(String) -> ()`; empty if the name does not contain it.
    private static func signature(in full: String) -> String {
        guard let number = full.place(of: "closure #"), let end = full.placeOutsideBrackets(of: " in "),
            number.lowerBound < end.lowerBound
        else { return "" }
        var type = full[number.upperBound..<end.lowerBound].drop(while: \.isNumber).drop { $0 == " " }
        while type.hasPrefix("@") {
            type = type.drop { $0 != " " }.drop { $0 == " " }
        }
        return ShortTypeName.of(type)
    }

    /// The name of a local function: `save #1 (_:)` becomes `save(_:)`.
    private static func localFunctionName(_ head: String) -> String? {
        guard !head.hasPrefix("closure #"), !head.hasPrefix("implicit closure #"), let number = head.place(of: " #")
        else { return nil }
        let labels = head[number.upperBound...].drop(while: \.isNumber).drop { $0 == " " }
        return "\(head[..<number.lowerBound])\(labels.isEmpty ? "()" : labels)"
    }

    /// The place without the mark of a variable's initial value, so that a closure in this value is in the variable.
    private static func withoutInitialValue(_ place: String) -> String {
        let mark = "variable initialization expression of "
        guard let found = place.place(of: mark) else { return place }
        return String(place[..<found.lowerBound] + place[found.upperBound...])
    }

    /// The module in a full name: the first part of the name of its innermost place.
    private static func module(in full: String) -> String {
        var place = Self.innermost(full)
        for mark in ["variable initialization expression of ", "static "] where place.hasPrefix(mark) {
            place = place.dropFirst(mark.count)
        }
        if place.hasPrefix("(extension in ") {
            return String(place.dropFirst("(extension in ".count).prefix { $0 != ")" })
        }
        // "(extension in Swift):Swift.Sequence.sorted(by:)" is cut behind " in ".
        return String(place.prefix { $0 != "." && $0 != "(" && $0 != ")" && $0 != " " })
    }

    private static func withoutNumbers(_ name: String) -> String {
        var result = ""
        var rest = name[...]
        while let number = rest.place(of: " #") {
            result += rest[..<number.lowerBound]
            rest = rest[number.upperBound...].drop(while: \.isNumber)
        }
        return result + rest
    }
}
