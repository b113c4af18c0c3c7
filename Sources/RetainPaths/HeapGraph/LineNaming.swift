import CRetainPaths
import LifetimeTracer

/// Names the lines of a census, and joins lines with equal names.
struct LineNaming {
    let names: HeapNames
    /// The modules that are not the program's.
    let libraryModules: Set<String>

    /// - Parameter libraryModules: Modules of libraries besides the known ones.
    init(names: HeapNames, libraryModules: Set<String>) {
        self.names = names
        self.libraryModules = KnownTypes.libraries.union(Self.otherModules).union(libraryModules)
    }

    /// The named lines, those with the most bytes first, and the keys of each line with a type.
    func lines(_ lines: [Census.Line]) -> (lines: [HeapGraph.Line], keys: HeapGraph.LineKeys) {
        var joined: [HeapGraph.Line: (count: Int, bytes: Int, retained: Int?)] = [:]
        var keys: [HeapGraph.Line: [LineKey]] = [:]
        for line in lines {
            let name = named(line)
            let sums = joined[name, default: (0, 0, nil)]
            let retained = line.retained.map { $0 + (sums.retained ?? 0) } ?? sums.retained
            joined[name] = (sums.count + line.count, sums.bytes + line.bytes, retained)
            let key = LineKey(line)
            if key.isOfType, name != Self.unknown { keys[name, default: []].append(key) }
        }
        let all = joined.map { line, sums in
            var line = line
            line.count = sums.count
            line.bytes = sums.bytes
            line.retained = sums.retained
            return line
        }
        let sorted = all.sorted {
            ($1.bytes, $0.kind.rawValue, $0.name, $0.type) < ($0.bytes, $1.kind.rawValue, $1.name, $1.type)
        }
        return (sorted, HeapGraph.LineKeys(keys))
    }

    /// The line without its counts.
    func named(_ line: Census.Line) -> HeapGraph.Line {
        switch line.kind {
        case RP_LINE_OBJECTS: object(line)
        case RP_LINE_BLOCKS: block(line)
        case RP_LINE_TASK_MEMORY: HeapGraph.Line(kind: .task, name: "memory of Tasks")
        case RP_LINE_CONTINUATIONS: HeapGraph.Line(kind: .dispatch, name: "Dispatch continuation")
        case RP_LINE_METADATA: HeapGraph.Line(kind: .runtime, name: "Swift metadata")
        case RP_LINE_SIDE_TABLES: HeapGraph.Line(kind: .runtime, name: "Swift reference counts")
        case RP_LINE_TRACER: HeapGraph.Line(kind: .tracer, name: "LifetimeTracer")
        case RP_LINE_FREE: HeapGraph.Line(kind: .free, name: "free, kept by malloc")
        case RP_LINE_ALLOCATOR: HeapGraph.Line(kind: .allocator, name: "malloc's own")
        case RP_LINE_LEFT_OUT: HeapGraph.Line(kind: .leftOut, name: "left out")
        default: Self.unknown
        }
    }

    private static let unknown = HeapGraph.Line(kind: .unknown, name: "C and unknown")

    private func object(_ line: Census.Line) -> HeapGraph.Line {
        switch line.node {
        case RP_NODE_CLOSURE: context(line)
        case RP_NODE_GENERIC_BOX: box("box of a value", names.typeName(line.metadata)) { "box of \($0)" }
        case RP_NODE_ERROR_BOX:
            box("error", line.detail == 0 ? nil : names.typeName(line.detail)) { "error \($0)" }
        case RP_NODE_TASK: HeapGraph.Line(kind: .task, name: "Task")
        default: instance(line)
        }
    }

    private func instance(_ line: Census.Line) -> HeapGraph.Line {
        guard let type = names.typeName(line.metadata) else {
            return HeapGraph.Line(kind: .instance, name: "object of an unknown type")
        }
        let qualified = withElement(type.qualified, line.detail)
        let isActor = Self.isActor(line.metadata)
        let storage = KnownTypes.storage(of: qualified) ?? Self.stringStorages[qualified]
        let kind: HeapGraph.Line.Kind =
            switch type.module {
            case _ where storage != nil: .storage
            case _ where isActor: .actor
            case "Dispatch": .dispatch
            case "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
                "FoundationXML":
                .foundation
            default: .instance
            }
        let name = storage ?? KnownTypes.wellKnownName(of: qualified) ?? qualified
        return HeapGraph.Line(
            kind: kind, name: ShortTypeName.of(name), type: qualified, isOfProgram: isOfProgram(qualified))
    }

    /// The type of the storage of an array with the class of its first object.
    ///
    /// The runtime uses one type of storage for all arrays of references.
    private func withElement(_ type: String, _ first: UInt) -> String {
        guard type == Self.storageOfReferences, first != 0, let element = names.typeName(first) else { return type }
        // An array in an array may be seen as its storage.
        let name = KnownTypes.storage(of: element.qualified).map { "Swift.\($0)" } ?? element.qualified
        return "Swift._ContiguousArrayStorage<\(name)>"
    }

    private static let storageOfReferences = "Swift._ContiguousArrayStorage<Swift.AnyObject>"
    private static let stringStorages = [
        "Swift.__StringStorage": "String", "Swift.__SharedStringStorage": "String",
    ]

    private func box(_ unknown: String, _ type: TypeName?, name: (String) -> String) -> HeapGraph.Line {
        guard let type else { return HeapGraph.Line(kind: .box, name: unknown) }
        return HeapGraph.Line(
            kind: .box, name: name(ShortTypeName.of(type.qualified)), type: type.qualified,
            isOfProgram: isOfProgram(type.qualified))
    }

    /// The line of a closure's context or of a box, which look alike.
    ///
    /// Without a function, a context with a single value is taken for a box.
    private func context(_ line: Census.Line) -> HeapGraph.Line {
        guard line.detail == 0 else { return closure(line.detail, prefix: "") }
        guard let type = BoxedValue.typeName(ofContext: line.metadata) else {
            return HeapGraph.Line(kind: .closure, name: "closure of an unknown function")
        }
        guard !type.isEmpty else { return HeapGraph.Line(kind: .box, name: "box of a value") }
        return HeapGraph.Line(
            kind: .box, name: "box of \(ShortTypeName.of(type))", type: type, isOfProgram: isOfProgram(type))
    }

    private func closure(_ function: UInt, prefix: String) -> HeapGraph.Line {
        let symbol = names.symbol(function)
        let name = ClosureName(symbol)
        // The name of a function of C tells no module.
        let isSwift = symbol?.mangledName.map(Demangler.isSwift) ?? false
        let place = name.module.isEmpty || name.isThunk ? "" : "\(name.module): \(name.text)"
        return HeapGraph.Line(
            kind: .closure, name: prefix + name.text, type: place,
            isOfProgram: isSwift && !place.isEmpty && !libraryModules.contains(name.module))
    }

    private func block(_ line: Census.Line) -> HeapGraph.Line {
        let name = BlockName(size: 0, firstWord: line.metadata == 0 ? nil : names.symbol(line.metadata))
        switch name.kind {
        case .closure: return closure(line.detail, prefix: "block of ")
        case .dispatchSource, .dispatchObject: return HeapGraph.Line(kind: .dispatch, name: name.text)
        case .taskMemory: return HeapGraph.Line(kind: .task, name: "memory of Tasks")
        case .memory, .ownMemory: return Self.unknown
        }
    }

    /// Whether the metadata of an object is that of an actor.
    static func isActor(_ metadata: UInt) -> Bool {
        // Safe: the census has checked that this is the metadata of a class, with its descriptor.
        Metadata(address: metadata)?.descriptor?.isActor ?? false
    }

    /// Whether a module is the program's.
    func isOfProgram(module: String) -> Bool { !module.isEmpty && !libraryModules.contains(module) }

    /// Whether the text of a type contains a module of the program.
    private func isOfProgram(_ type: String) -> Bool {
        Self.modules(in: type).contains { !libraryModules.contains($0) }
    }

    /// The modules of the tracer that no path leads through, and those of declarations that Swift imports from C.
    private static let otherModules: Set = [
        "EveryClass", "LifetimeTracerDashboard", "LifetimeTracerEveryClass", "LifetimeTracerServer",
        "LifetimeTracerTestKit", "RetainPaths", "TracerAgent", "__C", "__C_Synthesized",
    ]

    /// The first part of each dotted name in a text, and the modules of extensions: `Demo` and `Swift` of
    /// `(extension in Demo):Swift.Array<Swift.Int>.Cursor`.
    static func modules(in type: String) -> Set<String> {
        let names = type.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        let ofDeclarations = names.compactMap { name -> String? in
            guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
            return String(name[..<dot])
        }
        let ofExtensions = names.indices.dropLast(2).compactMap { index in
            names[index] == "extension" && names[index + 1] == "in" ? String(names[index + 2]) : nil
        }
        return Set(ofDeclarations + ofExtensions)
    }
}
