import CRetainPaths

extension LayoutCompiler {
    /// Finds where a `ManagedBuffer` stores the number of elements in use, and the class of the elements.
    ///
    /// - Parameters:
    ///   - aClass: The class of the object, `ManagedBuffer` or a subclass.
    ///   - headerEnd: The instance size of `ManagedBuffer`. The header is its only property.
    func describeBuffer(_ metadata: Metadata, of aClass: Metadata, headerEnd: Int, _ entry: inout rp_layout) {
        guard let arguments = metadata.genericArguments, let header = Metadata(address: arguments.read(0)),
            let element = Metadata(address: arguments.read(wordSize)), let witnesses = header.witnesses
        else { return }
        entry.element_class = elementClass(element)?.address ?? 0
        entry.has_optional_elements = element.kind == .optional ? 1 : 0
        let start = headerEnd - witnesses.size
        guard start >= ClassMetadata.headerSize, headerEnd <= Int(UInt16.max) else { return }
        if hasOtherElements(aClass, header: header, element: element) {
            entry.setFlag(RP_LAYOUT_HAS_OTHER_ELEMENTS, true)
            describeHashNode(aClass, header: header, at: start, child: element, &entry)
            return
        }
        if header == Metadata(of: Int.self) || header == Metadata(of: UInt.self) {
            entry.count_offset = UInt16(start)
            return
        }
        let words = plainFields(of: header, size: wordSize)
        guard let count = words["count"] ?? words["_count"] else { return }
        entry.setFlag(RP_LAYOUT_NAMES_COUNT, true)
        entry.count_offset = UInt16(start + count)
        if let capacity = words["capacity"] ?? words["_capacity"] { entry.capacity_offset = UInt16(start + capacity) }
        if let first = words["startSlot"] {
            entry.start_offset = UInt16(start + first)
        } else if let head = words["head"] {
            entry.start_offset = UInt16(start + head)
            entry.tail_offset = words["tail"].map { UInt16(start + $0) } ?? 0
            entry.setFlag(RP_LAYOUT_HAS_HEAD, true)
        }
    }

    /// The class of the elements if they are references, optional or not.
    private func elementClass(_ element: Metadata) -> Metadata? {
        if element.isClass { return element }
        guard element.kind == .optional else { return nil }
        let wrapped = element.genericArguments.flatMap { Metadata(address: $0.read(0)) }
        return wrapped.flatMap { $0.isClass ? $0 : nil }
    }

    /// Whether a class stores values of other types than the elements of its `ManagedBuffer`.
    ///
    /// A generic class has its parameters for its elements. If the buffer's types depend on none of them, the class
    /// uses the buffer's memory for values of its own choice, as a tree does that has the same header for all types.
    private func hasOtherElements(_ aClass: Metadata, header: Metadata, element: Metadata) -> Bool {
        guard aClass.descriptor?.genericParameters?.kindsWithArguments?.first == .type,
            let own = aClass.genericArguments, aClass.descriptor?.isStandard("ManagedBuffer") != true
        else { return false }
        let isFixed = { (type: Metadata) in
            [.aStruct, .anEnum].contains(type.kind) && type.descriptor?.isGeneric == false
                && type.address != own.read(0)
        }
        return isFixed(header) && isFixed(element)
    }

    /// Describes a node of a hash tree: children at the start of its memory, pairs of a key and a value at its end, and
    /// a bitmap for each of them in the header (swift-collections, `_HashNode.Storage` and `_HashNodeHeader`).
    ///
    /// - Parameter start: The offset of the header in the object.
    private func describeHashNode(
        _ aClass: Metadata, header: Metadata, at start: Int, child: Metadata, _ entry: inout rp_layout
    ) {
        let fields = plainFields(of: header, size: MemoryLayout<UInt32>.size)
        guard aClass.descriptor?.genericParameters?.kindsWithArguments?.prefix(2) == [.type, .type],
            let children = fields["childMap"], let items = fields["itemMap"],
            let bytes = fields["byteCapacity"] ?? fields["_byteCapacity"],
            let own = aClass.genericArguments, let key = Metadata(address: own.read(0)),
            let value = Metadata(address: own.read(wordSize))
        else { return }
        entry.tail = UInt8(RP_TAIL_HASH_NODE.rawValue)
        entry.element = index(of: key)
        entry.value = index(of: value)
        entry.child = index(of: child)
        entry.child_map_offset = UInt16(start + children)
        entry.item_map_offset = UInt16(start + items)
        entry.bytes_offset = UInt16(start + bytes)
    }

    /// The properties of a struct that have a size and hold no reference, with their offsets.
    private func plainFields(of metadata: Metadata, size: Int) -> [String: Int] {
        guard metadata.kind == .aStruct, let descriptor = metadata.descriptor, let fields = descriptor.fields,
            fields.count == descriptor.fieldCount,
            let offsets = StructMetadata(metadata).fieldOffsets(count: descriptor.fieldCount)
        else { return [:] }
        var plain: [String: Int] = [:]
        for index in offsets.indices {
            guard let name = fields[index].typeName, let type = type(named: name, in: context(of: metadata)),
                let witnesses = type.witnesses, witnesses.size == size, witnesses.isPlain
            else { continue }
            plain[fields[index].name] = offsets[index]
        }
        return plain
    }
}
