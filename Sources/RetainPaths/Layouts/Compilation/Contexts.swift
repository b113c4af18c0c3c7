import CRetainPaths

extension LayoutCompiler {
    /// Enters the layout of a closure's context, or of the box of a variable, as far as it can be told without bindings.
    func closureContext(_ metadata: Metadata) -> rp_layout_index {
        let bindings = ContextMetadata(metadata).captures?.bindingCount ?? 0
        var entry = rp_layout()
        entry.setFlag(RP_LAYOUT_IS_GENERIC, bindings > 0 && bindings <= Int(RP_MAX_BINDINGS))
        entry.binding_count = UInt8(clamping: min(bindings, Int(RP_MAX_BINDINGS)))
        return enterContext(metadata, entry, key: metadata.address, .none)
    }

    /// Enters the layout of contexts with certain bindings.
    func closureContext(_ metadata: Metadata, bindings: [UInt]) -> rp_layout_index {
        let key = bindings.withUnsafeBufferPointer {
            rp_context_key(metadata.pointer, $0.baseAddress, UInt32($0.count))
        }
        let known = table.find(key)
        if known != 0 { return known }
        let context = ContextMetadata(metadata)
        guard metadata.kind == .context, let captures = context.captures, captures.bindingCount == bindings.count else {
            return 0
        }
        let environment = GenericEnvironment(captures: captures, bindings: bindings, identities: &identities)
        return enterContext(metadata, rp_layout(), key: key, environment.map { .environment($0) } ?? .none)
    }

    private func enterContext(
        _ metadata: Metadata, _ partial: rp_layout, key: UInt, _ generics: GenericContext
    ) -> rp_layout_index {
        var entry = partial
        entry.kind = UInt8(RP_LAYOUT_CONTEXT.rawValue)
        let contents = captures(ContextMetadata(metadata), generics)
        entry.size = UInt32(clamping: contents.size ?? 0)
        entry.setFlag(RP_LAYOUT_IS_PARTLY_CONSERVATIVE, contents.isPartlyConservative)
        // Without its bindings it is no layout that is used, but for the time until there is one.
        if entry.binding_count == 0 || key != metadata.address { count(contents.isPartlyConservative) }
        return table.add(key: key, entry, contents.slots)
    }

    /// Captures lie one behind the other, each aligned, after the words of bindings (lib/IRGen/GenHeap.cpp, HeapLayout).
    private func captures(_ context: ContextMetadata, _ generics: GenericContext) -> FieldContents {
        var contents = FieldContents()
        guard let captures = context.captures else {
            contents.endUnknown(at: ClassMetadata.headerSize)
            return contents
        }
        var offset = context.firstCapture + captures.bindingCount * wordSize
        guard captures.captureCount <= [Slot].limit else {
            contents.endUnknown(at: offset)
            return contents
        }
        for index in 0..<captures.captureCount {
            let capture = field(captures.typeName(index), in: generics, extent: nil, depth: 0)
            guard let size = capture.size else {
                contents.endUnknown(at: offset)
                return contents
            }
            offset = (offset + capture.alignment - 1) / capture.alignment * capture.alignment
            contents.slots += capture.slots.map { $0.moved(by: offset, into: "") }
            if capture.isPartlyConservative { contents.isPartlyConservative = true }
            offset += size
        }
        contents.size = offset
        return contents
    }

    /// Enters the layout of a box whose type the runtime was given.
    func genericBox(_ metadata: Metadata) -> rp_layout_index {
        let box = GenericBoxMetadata(metadata)
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_GENERIC_BOX.rawValue)
        guard let type = box.type else { return unknownObject(metadata, RP_LAYOUT_GENERIC_BOX) }
        let layout = value(type, depth: 0)
        entry.size = UInt32(clamping: box.offset + layout.size)
        entry.setFlag(RP_LAYOUT_IS_PARTLY_CONSERVATIVE, layout.isPartlyConservative)
        count(layout.isPartlyConservative)
        return table.add(key: metadata.address, entry, layout.slots.map { $0.moved(by: box.offset, into: "") })
    }

    /// Enters the layout of an error's box, in which the type is found, or of a task: nothing in it is told here.
    func errorBox(_ metadata: Metadata) -> rp_layout_index {
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_ERROR_BOX.rawValue)
        count(false)
        return table.add(key: metadata.address, entry, [])
    }

    /// Enters the layout of an object of which nothing but the kind is known.
    func unknownObject(_ metadata: Metadata, _ kind: rp_layout_kind) -> rp_layout_index {
        var entry = rp_layout()
        entry.kind = UInt8(kind.rawValue)
        entry.setFlag(RP_LAYOUT_IS_PARTLY_CONSERVATIVE, true)
        count(true)
        return table.add(
            key: metadata.address, entry,
            [Slot(kind: .conservative, offset: ClassMetadata.headerSize, length: 0)])
    }
}

extension FieldContents {
    /// From here on to the end of the object nothing is known.
    fileprivate mutating func endUnknown(at offset: Int) {
        slots.append(Slot(kind: .conservative, offset: offset, length: 0))
        isPartlyConservative = true
        size = nil
    }
}
