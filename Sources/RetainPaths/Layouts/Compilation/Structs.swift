import CRetainPaths

extension LayoutCompiler {
    /// Modules whose properties mean nothing to users: the contents of an array's buffer belong to the array.
    private static let unspokenModules: Set<String> = [
        "Swift", "Synchronization", "_StringProcessing", "Observation",
    ]

    /// The size of a slice of an array: four words; see `RP_SLOT_SLICE`.
    private static let sliceSize = 4 * wordSize

    /// The layout of a struct's values.
    func structure(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout {
        let unknown = ValueLayout.unknown(size: empty.size, alignment: empty.alignment)
        guard let descriptor = metadata.descriptor, let fields = descriptor.fields else { return unknown }
        if metadata == Metadata(of: String.self) { return string(empty) }
        let count = descriptor.fieldCount
        guard count > 0 else { return rawLayout(metadata, empty, depth: depth) ?? unknown }
        guard fields.count == count, count <= [Slot].limit,
            let offsets = StructMetadata(metadata).fieldOffsets(count: count)
        else { return unknown }

        if let layout = mutex(metadata, empty, offsets, depth: depth) { return layout }
        if descriptor.name == "_SliceBuffer", descriptor.moduleName == "Swift", empty.size == Self.sliceSize {
            var layout = empty
            layout.slots = [Slot(kind: .slice, length: Self.sliceSize)]
            return layout
        }
        var layout = empty
        let context = context(of: metadata)
        let isSpoken = !Self.unspokenModules.contains(descriptor.moduleName)
        for (index, place) in FieldPlaces(offsets: offsets, end: empty.size).enumerated() {
            let record = fields[index]
            let contents = field(record.typeName, in: context, extent: place.count, depth: depth)
            layout.slots += contents.slots.map { slot in
                var slot = slot.moved(by: place.lowerBound, into: record.name)
                if !isSpoken { slot.name = slot.indexName }
                return slot
            }
            if contents.isPartlyConservative { layout.isPartlyConservative = true }
            if count == 1, contents.size == empty.size { layout.key = contents.key }
        }
        return layout
    }

    /// The layout of a struct of plain data with several properties; `nil` if a property's type is unknown.
    ///
    /// Padding and properties that are shorter than a word are no pointers, although their bytes can look like one:
    /// padding is not initialized, and may contain what an earlier object left there.
    func plainStructure(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout? {
        guard metadata.kind == .aStruct, empty.size > wordSize, let descriptor = metadata.descriptor,
            descriptor.fieldCount > 1
        else { return nil }
        var layout = structure(metadata, empty, depth: depth)
        guard !layout.isPartlyConservative else { return nil }
        layout.isPlain = true
        return layout
    }

    /// A string is a word with count and flags, and a word with the storage (stdlib/public/core/StringObject.swift).
    private func string(_ empty: ValueLayout) -> ValueLayout {
        var layout = empty
        layout.key = RP_KEY_STRING
        layout.slots = [Slot(kind: .strong, offset: wordSize)]
        return layout
    }

    /// The layout of a `Mutex`: a handle and the value.
    ///
    /// Reflection does not include the types of its properties, because they are not copyable.
    private func mutex(_ metadata: Metadata, _ empty: ValueLayout, _ offsets: [Int], depth: Int) -> ValueLayout? {
        guard let descriptor = metadata.descriptor, descriptor.name == "Mutex",
            descriptor.moduleName == "Synchronization", offsets.count == 2,
            let type = metadata.genericArguments.flatMap({ Metadata(address: $0.read(0)) })
        else { return nil }
        let part = value(type, depth: depth + 1)
        guard part.size <= empty.size - offsets[1], offsets[1].isMultiple(of: part.alignment) else { return nil }
        var layout = empty
        layout.add(part, at: offsets[1], name: "")
        layout.slots.append(Slot(kind: .mutex, offset: offsets[0], length: 4))
        return layout
    }

    /// The layout of an `Atomic` of the standard library, which has the size of its value.
    ///
    /// Reflection does not include the type of its storage.
    func atomic(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout? {
        guard metadata.kind == .aStruct, let descriptor = metadata.descriptor, descriptor.name == "Atomic",
            descriptor.moduleName == "Synchronization"
        else { return nil }
        return rawLayout(metadata, empty, depth: depth)
    }

    /// The layout of a struct without properties that is laid out like its first generic argument
    /// (`@_rawLayout(like:)`), such as the cell of a `Mutex`.
    private func rawLayout(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout? {
        guard let arguments = metadata.genericArguments, let parameters = metadata.descriptor?.genericParameters,
            parameters.kindsWithArguments?.first == .type, let like = Metadata(address: arguments.read(0))
        else { return nil }
        let part = value(like, depth: depth + 1)
        guard part.size == empty.size else { return nil }
        var layout = empty
        layout.add(part, at: 0, name: "")
        return layout
    }
}
