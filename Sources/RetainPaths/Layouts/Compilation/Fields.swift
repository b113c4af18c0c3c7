import CRetainPaths

/// What is in a stored property, a payload or a capture.
struct FieldContents {
    var slots: [Slot] = []
    /// `nil` where nothing is known of the type, and so nothing of what comes behind it.
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

    /// Something of which at most the room is known that it has.
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
    /// The contents of a property by the name of its type.
    ///
    /// - Parameter extent: The room up to the next property, or the enum's for a payload; `nil` where it is not known.
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
        // A block of C is raw memory.
        case .block: return FieldContents(Slot(kind: .plain), size: wordSize)
        case .function(let isEscaping, let isOptional): return function(isEscaping, isOptional, depth: depth)
        case .refused(let refusal):
            statistics.screened[refusal, default: 0] += 1
            return .unknown(extent: extent)
        case .accessor:
            guard let type = resolver.type(named: name, in: context) else { return .unknown(extent: extent) }
            if type.witnesses?.size == 0, extent ?? 0 > 0 {
                return unseen(name, in: context, extent: extent, depth: depth)
            }
            return contents(of: type, extent: extent, depth: depth)
        case .type:
            guard let type = resolver.type(named: name, in: context) else { return .unknown(extent: extent) }
            return contents(of: type, extent: extent, depth: depth)
        }
    }

    /// The type with a name, if the runtime can be asked.
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
        // A type that does not fit is another than the one that is there.
        if let extent, layout.size > extent { return .unknown(extent: extent) }
        return FieldContents(layout)
    }

    /// A reference that keeps nothing alive.
    ///
    /// Behind it are the witness tables, if it is one to any object of a protocol.
    private func reference(
        _ ownership: Ownership, to name: MangledName, in context: GenericContext, extent: Int?
    ) -> FieldContents {
        let kind: Slot.Kind =
            switch ownership {
            case .weak: .weak
            case .unowned: .unowned
            // Never retained for it; an `Unmanaged` may be.
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

    /// A reference and sixteen witness tables.
    private static let longestReference = 17 * wordSize

    private func function(_ isEscaping: Bool, _ isOptional: Bool, depth: Int) -> FieldContents {
        let size = 2 * wordSize
        // Nothing is retained for a context on a stack.
        guard isEscaping else { return FieldContents(Slot(kind: .plain, length: size), size: size) }
        guard isOptional else { return FieldContents(Slot(kind: .function, length: size), size: size) }
        // Every optional function looks like this one, and the runtime has no metadata for the lowered type.
        return FieldContents(value(Metadata(of: (() -> Void)?.self), depth: depth + 1))
    }

    /// The elements of a pack, one behind the other as in any tuple.
    private func tuple(of elements: [Metadata], depth: Int) -> FieldContents {
        var layout = ValueLayout(size: 0, stride: 1, alignment: 1, slots: [])
        for (index, element) in elements.enumerated() {
            let part = value(element, depth: depth + 1)
            let offset = (layout.size + part.alignment - 1) / part.alignment * part.alignment
            layout.add(part, at: offset, name: elements.count == 1 ? "" : String(index))
            layout.size = offset + part.size
            layout.alignment = max(layout.alignment, part.alignment)
        }
        return FieldContents(layout)
    }

    /// A type that reflection must not see, as its symbol tells it.
    private func unseen(
        _ accessor: MangledName, in context: GenericContext, extent: Int?, depth: Int
    ) -> FieldContents {
        guard let name = resolver.symbolicName(of: accessor), let type = type(named: name, in: context) else {
            return .unknown(extent: extent)
        }
        return contents(of: type, extent: extent, depth: depth)
    }
}
