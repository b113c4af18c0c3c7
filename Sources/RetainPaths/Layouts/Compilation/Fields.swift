import CRetainPaths

/// The contents of a stored property, a payload or a capture.
struct FieldContents {
    var slots: [Slot] = []
    /// `nil` if the type is unknown.
    ///
    /// Then the position of everything behind it is unknown, too.
    var size: Int? = 0
    var alignment = 1
    var isPartlyConservative = false
    var key = RP_KEY_NONE

    init() {}

    init(_ layout: ValueLayout) {
        slots = layout.slots
        size = layout.size
        alignment = layout.alignment
        isPartlyConservative = layout.isPartlyConservative
        key = layout.key
    }

    init(_ slot: Slot, size: Int) {
        slots = [slot]
        self.size = size
        alignment = wordSize
        isPartlyConservative = slot.kind == .conservative
    }

    /// Contents of which at most the available space is known.
    static func unknown(extent: Int?) -> Self {
        var contents = Self()
        contents.size = nil
        contents.alignment = wordSize
        contents.slots = .unknown(length: extent ?? 0)
        contents.isPartlyConservative = true
        return contents
    }
}

extension LayoutCompiler {
    /// The contents of a property, from the name of its type.
    ///
    /// - Parameter extent: The space up to the next property, or the enum's size for a payload; `nil` if it is not
    ///   known.
    func field(_ name: MangledName?, in context: GenericContext, extent: Int?, depth: Int) -> FieldContents {
        guard let name else { return .unknown(extent: extent) }
        if let (ownership, referent) = name.ownership {
            return reference(ownership, to: referent, in: context, extent: extent)
        }
        if case .environment(let environment) = context, let pack = name.tupleOfPack,
            let elements = environment.packs[pack]
        {
            return tuple(of: elements, depth: depth)
        }
        switch shape(of: name, in: context) {
        case .reference: return FieldContents(.reference)
        case .nothing: return FieldContents()
        case .plainWord: return FieldContents(Slot(kind: .plain), size: wordSize)
        // A C block (closure) counts as raw memory.
        case .block: return FieldContents(Slot(kind: .plain), size: wordSize)
        case .function(let isEscaping, let isOptional): return function(isEscaping, isOptional, depth: depth)
        case .refused(let refusal):
            if let elements = name.tupleElements { return tuple(of: elements, in: context, depth: depth) }
            if let contents = describedStruct(name, in: context, depth: depth + 1) ?? enumOfBoxes(name) {
                return contents
            }
            statistics.screened[refusal, default: 0] += 1
            return .unknown(extent: extent)
        case .accessor:
            guard let type = resolver.type(named: name, in: context) else { return .unknown(extent: extent) }
            if type.witnesses?.size == 0, extent ?? 0 > 0 {
                return unseen(name, in: context, extent: extent, depth: depth)
            }
            return contents(of: type, extent: extent, depth: depth)
        case .type:
            guard let type = resolver.type(named: name, in: context) else {
                return describedStruct(name, in: context, depth: depth + 1) ?? .unknown(extent: extent)
            }
            return contents(of: type, extent: extent, depth: depth)
        }
    }

    /// The type with a name, unless the name must not be passed to the runtime.
    func type(named name: MangledName, in context: GenericContext) -> Metadata? {
        switch shape(of: name, in: context) {
        case .refused, .function, .nothing: nil
        default: resolver.type(named: name, in: context)
        }
    }

    private func shape(of name: MangledName, in context: GenericContext) -> NameShape {
        name.shape(isBound: context.isBound, hasPacks: context.hasPacks)
    }

    private func contents(of type: Metadata, extent: Int?, depth: Int) -> FieldContents {
        let layout = value(type, depth: depth + 1)
        // A type that does not fit is not the property's type.
        if let extent, layout.size > extent { return .unknown(extent: extent) }
        return FieldContents(layout)
    }

    /// The contents of a property whose reference keeps nothing alive.
    ///
    /// If the reference is to an object of a protocol type, the witness tables follow it.
    private func reference(
        _ ownership: Ownership, to name: MangledName, in context: GenericContext, extent: Int?
    ) -> FieldContents {
        let kind: Slot.Kind =
            switch ownership {
            case .weak: .weak
            case .unowned: .unowned
            // An `unowned(unsafe)` reference is never retained. An `Unmanaged` may be, and has a slot kind of its own.
            case .unmanaged: .weak
            }
        var size = wordSize
        if shape(of: name, in: context) != .reference, let type = type(named: name, in: context),
            let found = type.witnesses?.size, found > size, found <= extent ?? Self.longestReference
        {
            size = found
        }
        return FieldContents(Slot(kind: kind), size: size)
    }

    /// The size of a reference with sixteen witness tables.
    private static let longestReference = 17 * wordSize

    func function(_ isEscaping: Bool, _ isOptional: Bool, depth: Int) -> FieldContents {
        let size = 2 * wordSize
        // A context on a stack is not retained.
        guard isEscaping else { return FieldContents(Slot(kind: .plain, length: size), size: size) }
        guard isOptional else { return FieldContents(Slot(kind: .function, length: size), size: size) }
        // All optional functions have the same layout, and the runtime has no metadata for the lowered type.
        return FieldContents(value(Metadata(of: (() -> Void)?.self), depth: depth + 1))
    }

    /// The elements of a pack, one behind the other as in a tuple.
    private func tuple(of elements: [Metadata], depth: Int) -> FieldContents {
        var tuple = SequentialContents()
        for (index, element) in elements.enumerated() {
            let part = FieldContents(value(element, depth: depth + 1))
            // The size of a type with metadata is known.
            _ = tuple.add(part, name: elements.count == 1 ? "" : String(index))
        }
        return tuple.contents
    }

    /// The elements of a tuple, each from the name of its type.
    private func tuple(
        of elements: [(label: String, type: MangledName)], in context: GenericContext, depth: Int
    ) -> FieldContents {
        var tuple = SequentialContents()
        for (label, type) in elements {
            guard tuple.add(field(type, in: context, extent: nil, depth: depth + 1), name: label) else {
                return .unknown(extent: nil)
            }
        }
        return tuple.contents
    }

    /// The contents of a type that reflection must not see.
    ///
    /// The symbol of its accessor includes its name.
    private func unseen(
        _ accessor: MangledName, in context: GenericContext, extent: Int?, depth: Int
    ) -> FieldContents {
        guard let name = resolver.symbolicName(of: accessor), let type = type(named: name, in: context) else {
            return .unknown(extent: extent)
        }
        return contents(of: type, extent: extent, depth: depth)
    }
}
