import CRetainPaths

extension LayoutCompiler {
    /// Finds where a `ManagedBuffer` stores the number of elements in use, and the class of the elements.
    ///
    /// - Parameter headerEnd: The instance size of `ManagedBuffer`. The header is its only property.
    func describeBuffer(_ metadata: Metadata, headerEnd: Int, _ entry: inout rp_layout) {
        guard let arguments = metadata.genericArguments, let header = Metadata(address: arguments.read(0)),
            let element = Metadata(address: arguments.read(wordSize)), let witnesses = header.witnesses
        else { return }
        entry.element_class = elementClass(element)?.address ?? 0
        let start = headerEnd - witnesses.size
        guard start >= ClassMetadata.headerSize, headerEnd <= Int(UInt16.max) else { return }
        if header == Metadata(of: Int.self) || header == Metadata(of: UInt.self) {
            entry.count_offset = UInt16(start)
            return
        }
        let words = wholeWords(of: header)
        guard let count = words["count"] ?? words["_count"] else { return }
        entry.setFlag(RP_LAYOUT_NAMES_COUNT, true)
        entry.count_offset = UInt16(start + count)
        if let capacity = words["capacity"] ?? words["_capacity"] { entry.capacity_offset = UInt16(start + capacity) }
        if let first = words["startSlot"] ?? words["head"] { entry.start_offset = UInt16(start + first) }
    }

    /// The class of the elements if they are references, optional or not.
    private func elementClass(_ element: Metadata) -> Metadata? {
        if element.isClass { return element }
        guard element.kind == .optional else { return nil }
        let wrapped = element.genericArguments.flatMap { Metadata(address: $0.read(0)) }
        return wrapped.flatMap { $0.isClass ? $0 : nil }
    }

    /// The properties of a struct that have the size of a word and hold no reference, with their offsets.
    private func wholeWords(of metadata: Metadata) -> [String: Int] {
        guard metadata.kind == .aStruct, let descriptor = metadata.descriptor, let fields = descriptor.fields,
            fields.count == descriptor.fieldCount,
            let offsets = StructMetadata(metadata).fieldOffsets(count: descriptor.fieldCount)
        else { return [:] }
        var words: [String: Int] = [:]
        for index in offsets.indices {
            guard let name = fields[index].typeName, let type = type(named: name, in: context(of: metadata)),
                let witnesses = type.witnesses, witnesses.size == wordSize, witnesses.isPlain
            else { continue }
            words[fields[index].name] = offsets[index]
        }
        return words
    }
}
