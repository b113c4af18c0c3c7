import CRetainPaths

extension LayoutCompiler {
    /// The layout of an enum's values: one slot.
    ///
    /// The layout of its cases is added to the table.
    func enumeration(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout {
        let unknown = ValueLayout.unknown(size: empty.size, alignment: empty.alignment)
        guard let descriptor = metadata.descriptor, let fields = descriptor.fields else { return unknown }
        // Cases with a payload come first, in the descriptor and in the tags (swift/ABI/ValueWitness.def, getEnumTag).
        let count = descriptor.payloadCaseCount
        guard count > 0, count <= fields.count, count <= [Slot].limit else { return unknown }

        let isOptional = metadata.kind == .optional
        // The private enums of libraries, such as Data's representation, mean nothing to users.
        let isPrivate = descriptor.name.hasPrefix("_") && KnownTypes.libraries.contains(descriptor.moduleName)
        let isSpoken = !isOptional && !isPrivate
        let context = context(of: metadata)
        var payloads: [(name: String, contents: FieldContents)] = []
        for index in 0..<count {
            let record = fields[index]
            var contents = FieldContents()
            if record.isIndirect {
                contents = FieldContents(.reference)
            } else if let name = record.typeName {
                contents = field(name, in: context, extent: empty.size, depth: depth)
            }
            payloads.append((isSpoken ? record.name : "", contents))
        }
        if isOptional, let layout = withoutCases(payloads[0].contents, empty) { return layout }

        var layout = empty
        layout.isPartlyConservative = payloads.contains { $0.contents.isPartlyConservative }
        guard payloads.contains(where: { !$0.contents.slots.isEmpty }) else { return layout }
        layout.cases = enterCases(metadata, payloads, layout)
        guard layout.cases != 0 else { return unknown }
        layout.slots = [Slot(kind: .enumeration, length: empty.size, layout: layout.cases)]
        return layout
    }

    /// Whether a payload of an enum of plain data contains a pointer that may retain an object.
    func payloadMayRetain(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> Bool {
        guard let descriptor = metadata.descriptor, let fields = descriptor.fields else { return false }
        let count = descriptor.payloadCaseCount
        guard count > 0, count <= fields.count, count <= [Slot].limit else { return false }
        let context = context(of: metadata)
        return (0..<count).contains { index in
            guard let name = fields[index].typeName else { return false }
            return field(name, in: context, extent: empty.size, depth: depth).slots.mayRetain
        }
    }

    /// The contents of an enum whose generic arguments are not known, if each payload is in a box; else `nil`.
    ///
    /// Whatever the arguments are, the value is one word. With several payloads, bits of the word tell them apart.
    func enumOfBoxes(_ name: MangledName) -> FieldContents? {
        guard let descriptor = name.descriptor, descriptor.kind == .anEnum, let fields = descriptor.fields else {
            return nil
        }
        let count = descriptor.payloadCaseCount
        guard count > 0, count <= fields.count, (0..<count).allSatisfy({ fields[$0].isIndirect }) else { return nil }
        return FieldContents(count == 1 ? .reference : .unknown(size: wordSize))
    }

    /// The layout of an optional whose payload shows that it is nil: a null reference, or an existential without a
    /// type.
    private func withoutCases(_ payload: FieldContents, _ empty: ValueLayout) -> ValueLayout? {
        guard payload.size == empty.size, payload.slots.count == 1 else { return nil }
        let slot = payload.slots[0]
        guard slot.offset == 0, slot.kind == .strong && empty.size == wordSize || slot.kind == .existential else {
            return nil
        }
        var layout = empty
        layout.slots = payload.slots
        return layout
    }

    private func enterCases(
        _ metadata: Metadata, _ payloads: [(name: String, contents: FieldContents)], _ layout: ValueLayout
    ) -> rp_layout_index {
        let cases = payloads.map { name, contents in
            var slot = Slot(kind: .payloadCase, length: contents.size ?? layout.size, name: name)
            if !contents.slots.isEmpty {
                var payload = ValueLayout.unknown(size: contents.size ?? layout.size)
                payload.slots = contents.slots
                payload.isPartlyConservative = contents.isPartlyConservative
                slot.layout = enter(payload, key: 0)
            }
            return slot
        }
        // If there was no room for the layout of a payload, the whole enum counts as unknown.
        guard zip(cases, payloads).allSatisfy({ $0.layout != 0 || $1.contents.slots.isEmpty }) else { return 0 }
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_ENUM.rawValue)
        entry.size = UInt32(clamping: layout.size)
        entry.stride = UInt32(clamping: layout.stride)
        entry.alignment = UInt32(clamping: layout.alignment)
        entry.setFlag(RP_LAYOUT_IS_MULTI_PAYLOAD, payloads.count > 1)
        entry.setFlag(RP_LAYOUT_IS_PARTLY_CONSERVATIVE, layout.isPartlyConservative)
        return table.add(key: metadata.address, entry, cases)
    }
}
