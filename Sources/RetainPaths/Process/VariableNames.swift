import LifetimeTracer

/// What the mangled name of a variable says about what it holds.
enum VariableNames {
    /// Endings of types whose values hold no object: weak, unowned, unmanaged; Int, UInt, Double, Bool, ObjectIdentifier, raw
    /// pointers, OpaquePointer, and optional ones.
    private static let plainTypes: [StaticString] = [
        "Xw", "Xo", "Xu", "Si", "Su", "Sd", "Sb", "SO", "SV", "Sv", "s13OpaquePointerV", "SiSg", "SuSg", "SOSg", "SVSg",
        "SvSg", "s13OpaquePointerVSg",
    ]

    /// What a variable is to a search.
    enum Kind: Hashable, Sendable {
        /// No strong reference is in it.
        case nothing
        /// Of Swift, and perhaps a holder.
        case ofSwift
        /// The same, with its type in its name.
        case typed
        /// Of C.
        case ofC
        /// Of libdispatch, which keeps what it has worked on for a while.
        case ofDispatch
        /// Of C; it says what is still to be done, or hands it on to others that do.
        case pendingWork(isInTransit: Bool)
        /// The class of C's blocks in the heap.
        case heapBlockClass
    }

    /// Timers that run, sources of events, and queues of libdispatch (src/queue_internal.h, src/event/event_internal.h), and the run
    /// loops of all threads (CFRunLoop.c).
    private static let pendingWork: Set<String> = [
        "_dispatch_timers_heap", "_dispatch_sources", "_dispatch_main_q", managerQueue, "_dispatch_root_queues",
        "__CFRunLoops", "__CFMainRunLoop",
    ]

    /// Through which timers and sources come to their lists.
    private static let managerQueue = "_dispatch_mgr_q"

    /// What a name says.
    static func kind(of name: UnsafeRawBufferPointer, isInRuntime: Bool = false) -> Kind {
        if holdNothing(name, isInRuntime: isInRuntime) { return .nothing }
        if begins(name, with: "$s") { return ends(name, with: "vp") || ends(name, with: "vpZ") ? .typed : .ofSwift }
        if begins(name, with: "_NSConcreteMallocBlock"), name.count == 22 { return .heapBlockClass }
        // Few names are looked up as a whole.
        let isOfDispatch = begins(name, with: "_dispatch_")
        guard isOfDispatch || begins(name, with: "__CF") else { return .ofC }
        let whole = String(decoding: name, as: UTF8.self)
        if pendingWork.contains(whole) { return .pendingWork(isInTransit: whole == managerQueue) }
        return isOfDispatch ? .ofDispatch : .ofC
    }

    /// Whether what has a name is no variable but metadata, is the runtime's own, or has a type that never holds an object.
    ///
    /// - Parameters:
    ///   - name: The mangled name.
    ///   - isInRuntime: Whether the variable is one of the library of Swift's runtime.
    static func holdNothing(_ name: UnsafeRawBufferPointer, isInRuntime: Bool = false) -> Bool {
        guard name.count >= 4 else { return false }
        // Written in C++: tables of types, and memory that was others' before.
        if isInRuntime, begins(name, with: "_Z") { return true }
        if begins(name, with: "_ZN5swift") || begins(name, with: "_ZZN5swift") { return true }
        // Foundation's table of functions for its collections, most of it memory as malloc gave it (CFBasicHash.c).
        if name.elementsEqual("CFBasicHashCallBackPtrs".utf8) { return true }
        guard begins(name, with: "$s") else { return false }
        let name = withoutPart(name)
        // An object that the compiler laid down as the value of a variable.
        if isOutlinedVariable(name) { return false }
        // The tables of the search itself, but not what it plants to check itself.
        if begins(name, with: "$s11RetainPaths"), !begins(name, with: "$s11RetainPaths14PlantedObjects") { return true }
        var variable = name
        if ends(variable, with: "Z") { variable = UnsafeRawBufferPointer(rebasing: variable.dropLast()) }
        guard ends(variable, with: "vp") else { return isMetadata(name) }
        let type = UnsafeRawBufferPointer(rebasing: variable.dropLast(2))
        return plainTypes.contains { ends(type, with: $0) } || isUnmanaged(type, in: name)
    }

    /// Whether a name is that of metadata, a cache of it, or the mark of a variable that it has its first value
    /// (docs/ABI/Mangling.rst: "Wz", "M…", "W…", "T…", "N").
    private static func isMetadata(_ name: UnsafeRawBufferPointer) -> Bool {
        let last = name[name.count - 1]
        return last == UInt8(ascii: "N") || metadataKinds[Int(name[name.count - 2]) << 8 | Int(last)]
    }

    /// Whether two letters at the end of a name, the first times 256 and the second, are those of metadata.
    private static let metadataKinds: [Bool] = {
        let endings =
            "Wz Mf Mn Mm MI MD Md ML Ml MR Mr MP MF MV MK XX XM XE Mc Mp Ma MB Mb MC Mo Ms Mt Mu Mx MQ Mq ME MX WV WL Wl "
            + "WP Wp WG WI WJ WT Wt WC Wb Wd vd vi Wr Wc Tu Tq TL Tl TK HC Hn Ho Hr HF Hc Hp"
        var kinds = [Bool](repeating: false, count: 1 << 16)
        for ending in endings.split(separator: " ") {
            kinds[ending.utf8.reduce(0) { $0 << 8 | Int($1) }] = true
        }
        return kinds
    }()

    /// A name without the number that LLVM gives to a part of a variable that it has taken apart: `.0`.
    static func withoutPart(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var end = name.count
        while end > 0, digits.contains(name[end - 1]) { end -= 1 }
        guard end < name.count, end > 0, name[end - 1] == UInt8(ascii: ".") else { return name }
        return withoutPart(UnsafeRawBufferPointer(rebasing: name[..<(end - 1)]))
    }

    /// The same for a text.
    static func withoutPart(_ name: String) -> String {
        Array(name.utf8).withUnsafeBytes { String(decoding: withoutPart($0), as: UTF8.self) }
    }

    /// Whether a name is that of an outlined variable: "Tv", perhaps a number, "_" (docs/ABI/Mangling.rst).
    private static func isOutlinedVariable(_ name: UnsafeRawBufferPointer) -> Bool {
        guard ends(name, with: "_") else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var rest = UnsafeRawBufferPointer(rebasing: name.dropLast())
        while let last = rest.last, digits.contains(last) { rest = UnsafeRawBufferPointer(rebasing: rest.dropLast()) }
        return ends(rest, with: "Tv")
    }

    /// Whether a variable's type is Unmanaged, or an optional one: of generic types the ending does not tell which.
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
        name.count >= beginning.utf8CodeUnitCount
            && name.prefix(beginning.utf8CodeUnitCount).elementsEqual(
                UnsafeBufferPointer(start: beginning.utf8Start, count: beginning.utf8CodeUnitCount))
    }

    private static func ends(_ name: UnsafeRawBufferPointer, with ending: StaticString) -> Bool {
        name.count >= ending.utf8CodeUnitCount
            && name.suffix(ending.utf8CodeUnitCount).elementsEqual(
                UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
    }
}
