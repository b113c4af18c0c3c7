import CRetainPaths

extension LayoutCompiler {
    /// Adds the layout of a closure's context or of a variable's box, as far as it is known without generic arguments.
    func closureContext(_ metadata: Metadata) -> rp_layout_index {
        let bindings = ContextMetadata(metadata).captures?.bindingCount ?? 0
        var entry = rp_layout()
        entry.setFlag(RP_LAYOUT_IS_GENERIC, bindings > 0 && bindings <= Int(RP_MAX_BINDINGS))
        entry.binding_count = UInt8(clamping: min(bindings, Int(RP_MAX_BINDINGS)))
        return enterContext(metadata, entry, key: metadata.address, .none)
    }

    /// Adds the layout of a closure's contexts with the given generic arguments.
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
        // The layout of a generic context without its arguments is only provisional and is not counted.
        if entry.binding_count == 0 || key != metadata.address { count(contents.isPartlyConservative) }
        return table.add(key: key, entry, contents.slots)
    }

    /// Captures lie one behind the other, each aligned, after the words of the bindings (lib/IRGen/GenHeap.cpp,
    /// HeapLayout).
    private func captures(_ context: ContextMetadata, _ generics: GenericContext) -> FieldContents {
        var contents = FieldContents()
        guard let captures = context.captures else {
            contents.endUnknown(at: ClassMetadata.headerSize)
            return contents
        }
        let start = context.firstCapture + captures.bindingCount * wordSize
        guard captures.captureCount <= [Slot].limit else {
            contents.endUnknown(at: start)
            return contents
        }
        var whole = SequentialContents(from: start)
        for index in 0..<captures.captureCount {
            guard whole.add(capture(captures.typeName(index), of: captures, in: generics), name: "") else {
                contents = whole.contents
                contents.endUnknown(at: whole.end)
                return contents
            }
        }
        return whole.contents
    }

    /// The contents of one capture.
    ///
    /// Without bindings, the compiler knows the size of each capture. That of a generic parameter is known only if the
    /// arguments are references to objects (lib/IRGen/GenHeap.cpp, HeapLayout; `NecessaryBindings`).
    private func capture(
        _ typeName: MangledName?, of captures: CaptureDescriptor, in generics: GenericContext
    ) -> FieldContents {
        if captures.bindingCount == 0, typeName?.parameter != nil { return FieldContents(.reference) }
        return field(typeName, in: generics, extent: nil, depth: 0)
    }

    /// Adds the layout of a box that the runtime allocated for a given type.
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

    /// Adds the layout of an error's box.
    ///
    /// The layout has no slots, because each box names the type of its own value.
    func errorBox(_ metadata: Metadata) -> rp_layout_index {
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_ERROR_BOX.rawValue)
        count(false)
        return table.add(key: metadata.address, entry, [])
    }

    /// Adds the layout of an object of which only the kind is known.
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
    /// Marks everything from an offset to the end of the object as unknown.
    fileprivate mutating func endUnknown(at offset: Int) {
        slots.append(Slot(kind: .conservative, offset: offset, length: 0))
        isPartlyConservative = true
        size = nil
    }
}
