import LifetimeTracer

/// Reads from the mangled name of a variable whether the variable can hold references.
enum VariableNames {
    /// Endings of the types whose values hold no object: weak, unowned, unmanaged; Int, UInt, Double, Bool,
    /// ObjectIdentifier, and optionals of some of these.
    private static let plainTypes: [StaticString] = [
        "Xw", "Xo", "Xu", "Si", "Su", "Sd", "Sb", "SO", "SiSg", "SuSg", "SOSg",
    ]

    /// Endings of the pointers whose targets have no type: raw pointers, OpaquePointer, and optionals of these.
    ///
    /// They hold no object, but they lead to memory of C libraries. The layout of a whole variable keeps to such
    /// memory; a part of a variable has no layout.
    private static let pointerTypes: [StaticString] = [
        "SV", "Sv", "s13OpaquePointerV", "SVSg", "SvSg", "s13OpaquePointerVSg",
    ]

    /// The role of a variable in a search.
    enum Kind: Hashable, Sendable {
        /// The variable contains no strong reference.
        case nothing
        /// The runtime's table of the instances of a generic type or conformance, or its state of a type.
        ///
        /// It contains no strong reference, but leads to memory with stale words.
        case metadataTable
        /// A Swift variable that may hold references.
        case ofSwift
        /// A Swift variable that may hold references, with its type in its name, or perhaps with that of its object.
        case typed
        /// The same for the type of a struct, an enum or a tuple, some of whose properties may own nothing.
        case typedValue
        /// A part of such a variable: one of its properties, but not known which.
        case partOfValue
        /// A C variable.
        case ofC
        /// A variable of libdispatch, which keeps references to finished work for a while.
        case ofDispatch
        /// A C++ variable of a program that contains Swift's runtime. The runtime's own variables contain leftovers.
        case ofRuntime
        /// A C variable that lists pending work, or that hands pending work on to other such variables (`isInTransit`).
        case pendingWork(isInTransit: Bool)
        /// The class of C blocks (closures) on the heap.
        case heapBlockClass
    }

    /// libdispatch's running timers, event sources and queues (src/queue_internal.h, src/event/event_internal.h), and
    /// the run loops of all threads (CFRunLoop.c).
    private static let pendingWork: Set<String> = [
        "_dispatch_timers_heap", "_dispatch_sources", "_dispatch_main_q", "_dispatch_mgr_q",
        "_dispatch_root_queues", "__CFRunLoops", "__CFMainRunLoop",
    ]

    /// The queues through which timers and sources reach their lists, and which still refer to them afterwards.
    private static let queuesInTransit: Set<String> = ["_dispatch_mgr_q", "_dispatch_root_queues"]

    /// The role of a variable, according to its name.
    ///
    /// - Parameters:
    ///   - name: The mangled name.
    ///   - isInRuntime: Whether the variable is in the library of Swift's runtime.
    ///   - isBesideRuntime: Whether the variable is in a program that contains Swift's runtime.
    static func kind(
        of name: UnsafeRawBufferPointer, isInRuntime: Bool = false, isBesideRuntime: Bool = false
    ) -> Kind {
        if isMetadataTable(name) { return .metadataTable }
        if holdNothing(name, isInRuntime: isInRuntime) { return .nothing }
        if isBesideRuntime, begins(name, with: "_Z") { return .ofRuntime }
        if begins(name, with: "$s") {
            if isObject(name) { return .typed }
            let variable = withoutPart(name)
            guard ends(variable, with: "vp") || ends(variable, with: "vpZ") else { return .ofSwift }
            if variable.count < name.count { return isValue(variable) ? .partOfValue : .ofSwift }
            return isValue(variable) ? .typedValue : .typed
        }
        if begins(name, with: "_NSConcreteMallocBlock"), name.count == 22 { return .heapBlockClass }
        // Only few names are copied into a String to be looked up as a whole.
        let isOfDispatch = begins(name, with: "_dispatch_")
        guard isOfDispatch || begins(name, with: "__CF") else { return .ofC }
        let whole = String(decoding: name, as: UTF8.self)
        if pendingWork.contains(whole) { return .pendingWork(isInTransit: queuesInTransit.contains(whole)) }
        return isOfDispatch ? .ofDispatch : .ofC
    }

    /// Whether a symbol stands for metadata, for the runtime's own memory, or for a variable of a type that never holds
    /// an object.
    ///
    /// - Parameters:
    ///   - name: The mangled name.
    ///   - isInRuntime: Whether the symbol is in the library of Swift's runtime.
    static func holdNothing(_ name: UnsafeRawBufferPointer, isInRuntime: Bool = false) -> Bool {
        guard name.count >= 4 else { return false }
        // C++ code of the runtime: tables of types, and memory that contains leftovers of earlier users.
        if isInRuntime, begins(name, with: "_Z") { return true }
        if begins(name, with: "_ZN5swift") || begins(name, with: "_ZZN5swift") { return true }
        // Foundation's table of callbacks for its collections, most of which is uninitialized memory from malloc
        // (CFBasicHash.c).
        if name.elementsEqual("CFBasicHashCallBackPtrs".utf8) { return true }
        guard begins(name, with: "$s") else { return false }
        let whole = name.count
        let name = withoutPart(name)
        // An outlined variable is an object that the compiler laid out as the value of a variable.
        if isOutlinedVariable(name) { return false }
        // The tables of the search itself hold nothing, but the planted objects of the self-check count.
        if begins(name, with: "$s11RetainPaths"), !begins(name, with: "$s11RetainPaths14PlantedObjects") { return true }
        var variable = name
        if ends(variable, with: "Z") { variable = UnsafeRawBufferPointer(rebasing: variable.dropLast()) }
        guard ends(variable, with: "vp") else { return isMetadata(name) }
        let type = UnsafeRawBufferPointer(rebasing: variable.dropLast(2))
        let isPartOfPointer = name.count < whole && pointerTypes.contains { ends(type, with: $0) }
        return isPartOfPointer || plainTypes.contains { ends(type, with: $0) } || isUnmanaged(type, in: name)
    }

    /// Whether a name is that of metadata, of a metadata cache, or of the flag that a variable has been initialized
    /// (docs/ABI/Mangling.rst: "Wz", "M…", "W…", "T…", "N").
    private static func isMetadata(_ name: UnsafeRawBufferPointer) -> Bool {
        let last = name[name.count - 1]
        return last == UInt8(ascii: "N") || metadataKinds[Int(name[name.count - 2]) << 8 | Int(last)]
    }

    /// Whether a name is that of a table of the instances of a generic type ("MI") or conformance ("MK"), or of the
    /// state of a type that the runtime initializes at its first use ("Ml").
    private static func isMetadataTable(_ name: UnsafeRawBufferPointer) -> Bool {
        begins(name, with: "$s") && (ends(name, with: "MI") || ends(name, with: "MK") || ends(name, with: "Ml"))
    }

    /// For each two-letter ending, whether it marks metadata.
    ///
    /// The index is 256 times the first letter plus the second.
    private static let metadataKinds: [Bool] = {
        let endings =
            "Wz Mf Mn Mm MI MD Md ML Ml MR Mr MP MF MV MK XX XM XE Mc Mp Ma MB Mb MC Mo Ms Mt Mu Mx MQ Mq ME MX "
            + "WV WL Wl WP Wp WG WI WJ WT Wt WC Wb Wd vd vi Wr Wc Tu Tq TL Tl TK HC Hn Ho Hr HF Hc Hp"
        var kinds = [Bool](repeating: false, count: 1 << 16)
        for ending in endings.split(separator: " ") {
            kinds[ending.utf8.reduce(0) { $0 << 8 | Int($1) }] = true
        }
        return kinds
    }()

    /// The name without LLVM's number for a part of a variable that LLVM has split: `.0`.
    static func withoutPart(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var end = name.count
        while end > 0, digits.contains(name[end - 1]) { end -= 1 }
        guard end < name.count, end > 0, name[end - 1] == UInt8(ascii: ".") else { return name }
        return withoutPart(UnsafeRawBufferPointer(rebasing: name[..<(end - 1)]))
    }

    /// Endings of structs, enums and tuples, and of optionals of these.
    ///
    /// Generic structs are missing, because generic classes have the same ending.
    private static let valueTypes: [StaticString] = ["V", "VSg", "O", "OSg", "t", "tSg"]

    private static func isValue(_ variable: UnsafeRawBufferPointer) -> Bool {
        let type = UnsafeRawBufferPointer(rebasing: variable.dropLast(ends(variable, with: "Z") ? 3 : 2))
        return valueTypes.contains { ends(type, with: $0) }
    }

    /// The same for a String.
    static func withoutPart(_ name: String) -> String {
        Array(name.utf8).withUnsafeBytes { String(decoding: withoutPart($0), as: UTF8.self) }
    }

    /// Whether a name is that of the object that the compiler laid out as the value of a global or static variable.
    private static func isObject(_ name: UnsafeRawBufferPointer) -> Bool {
        ends(name, with: "_WZTv_")
    }

    /// Whether a name is that of an outlined variable: "Tv", an optional number, "_" (docs/ABI/Mangling.rst).
    private static func isOutlinedVariable(_ name: UnsafeRawBufferPointer) -> Bool {
        guard ends(name, with: "_") else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var rest = UnsafeRawBufferPointer(rebasing: name.dropLast())
        while let last = rest.last, digits.contains(last) { rest = UnsafeRawBufferPointer(rebasing: rest.dropLast()) }
        return ends(rest, with: "Tv")
    }

    /// Whether a variable's type is Unmanaged or an optional Unmanaged.
    ///
    /// The ending alone does not identify a generic type, so the whole name is demangled.
    private static func isUnmanaged(_ type: UnsafeRawBufferPointer, in name: UnsafeRawBufferPointer) -> Bool {
        guard ends(type, with: "G") || ends(type, with: "GSg") else { return false }
        let mangled = String(decoding: name, as: UTF8.self)
        guard mangled.place(of: "s9UnmanagedV") != nil, let full = Demangler.fullName(of: mangled),
            let colon = full.place(of: " : ")
        else { return false }
        let typeName = full[colon.upperBound...]
        return typeName.hasPrefix("Swift.Unmanaged<") || typeName.hasPrefix("Swift.Optional<Swift.Unmanaged<")
    }

    private static func begins(_ name: UnsafeRawBufferPointer, with beginning: StaticString) -> Bool {
        contains(name, beginning, at: 0)
    }

    private static func ends(_ name: UnsafeRawBufferPointer, with ending: StaticString) -> Bool {
        contains(name, ending, at: name.count - ending.utf8CodeUnitCount)
    }

    /// Whether a name contains a part at an offset.
    ///
    /// Without generic code, which takes several times as long in an unoptimised build, for more than 100,000 names.
    private static func contains(_ name: UnsafeRawBufferPointer, _ part: StaticString, at offset: Int) -> Bool {
        let count = part.utf8CodeUnitCount
        guard offset >= 0, count <= name.count - offset else { return false }
        let bytes = part.utf8Start
        var index = 0
        while index < count {
            guard name[offset &+ index] == bytes[index] else { return false }
            index &+= 1
        }
        return true
    }
}
