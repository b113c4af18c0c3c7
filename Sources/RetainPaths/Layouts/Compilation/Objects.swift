import CRetainPaths

extension LayoutCompiler {
    /// Classes of the standard library whose instances have elements behind their own properties.
    private static let tails: [String: rp_tail] = [
        "_ContiguousArrayStorage": RP_TAIL_ARRAY,
        "_DictionaryStorage": RP_TAIL_DICTIONARY,
        "_SetStorage": RP_TAIL_SET,
        "ManagedBuffer": RP_TAIL_MANAGED,
        "__StringStorage": RP_TAIL_STRING,
        "AnyKeyPath": RP_TAIL_KEY_PATH,
        "__StaticArrayStorage": RP_TAIL_BYTES,
    ]

    /// The tails of classes whose own properties may hold references.
    private static let tailsBehindProperties: Set = [
        RP_TAIL_NONE.rawValue, RP_TAIL_MANAGED.rawValue, RP_TAIL_HASH_NODE.rawValue,
    ]

    /// Modules whose instances may be larger than their class says, because C code allocates them.
    private static let modulesOfLongObjects: Set<String> = ["Foundation"]

    /// A class has fewer superclasses than this.
    private static let superclassLimit = 64

    /// Adds the layout of a class's objects.
    func object(_ metadata: Metadata) -> rp_layout_index {
        let aClass = ClassMetadata(metadata)
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_CLASS.rawValue)
        entry.size = UInt32(clamping: aClass.instanceSize)
        entry.alignment = UInt32(clamping: aClass.instanceAlignment)
        entry.setFlag(RP_LAYOUT_MAY_BE_LONGER, Self.isOfFoundation(metadata))

        if let layout = continuation(aClass, entry) {
            count(false)
            return table.add(key: metadata.address, layout.entry, layout.slots)
        }

        if let slots = lazyReference(aClass) {
            count(false)
            return table.add(key: metadata.address, entry, slots)
        }

        var slots: [Slot] = []
        var start = ClassMetadata.headerSize
        var isPartlyConservative = false
        for ancestor in ancestry(of: metadata) {
            let end = ClassMetadata(ancestor).instanceSize
            if let tail = tail(of: ancestor) {
                entry.tail = UInt8(tail.kind.rawValue)
                entry.element = tail.element
                entry.value = tail.value
                if tail.kind == RP_TAIL_MANAGED { describeBuffer(ancestor, of: metadata, headerEnd: end, &entry) }
                slots = tail.kind == RP_TAIL_MANAGED ? slots : []
            }
            if Self.tailsBehindProperties.contains(UInt32(entry.tail)) {
                let own = properties(of: ancestor, from: start, to: end)
                slots += Self.isOfFoundation(ancestor) ? own.slots.map(\.owning) : own.slots
                if own.isPartlyConservative { isPartlyConservative = true }
            }
            start = end
        }
        if isStorageOfStream(aClass) { entry.tail = UInt8(RP_TAIL_BYTES.rawValue) }
        if slots.count > [Slot].limit {
            slots = .unknown(offset: ClassMetadata.headerSize, length: aClass.instanceSize - ClassMetadata.headerSize)
        }
        isPartlyConservative = isPartlyConservative || slots.isPartlyConservative
        entry.setFlag(RP_LAYOUT_IS_PARTLY_CONSERVATIVE, isPartlyConservative)
        count(isPartlyConservative)
        return table.add(key: metadata.address, entry, slots)
    }

    /// The layout of a `CheckedContinuationCanary`, to which a `CheckedContinuation` refers.
    ///
    /// The task's continuation and the name of a function follow the object
    /// (stdlib/public/Concurrency/CheckedContinuation.swift, CheckedContinuationCanary).
    private func continuation(_ aClass: ClassMetadata, _ partial: rp_layout) -> (entry: rp_layout, slots: [Slot])? {
        guard aClass.instanceSize == ClassMetadata.headerSize, let descriptor = aClass.descriptor,
            descriptor.isStandard("CheckedContinuationCanary")
        else { return nil }
        typealias Contents = (task: UnsafeRawPointer?, function: String)
        var entry = partial
        entry.size += UInt32(MemoryLayout<Contents>.size)
        entry.setFlag(RP_LAYOUT_MAY_BE_LONGER, false)
        let function = MemoryLayout<Contents>.offset(of: \.function) ?? wordSize
        return (
            entry,
            [
                Slot(kind: .plain, offset: ClassMetadata.headerSize, name: "task"),
                Slot(kind: .strong, offset: ClassMetadata.headerSize + function + wordSize, name: "function"),
            ]
        )
    }

    /// The slots of swift-atomics' `ManagedAtomicLazyReference`, which stores its reference as a number
    /// (ManagedAtomicLazyReference.swift).
    private func lazyReference(_ aClass: ClassMetadata) -> [Slot]? {
        guard aClass.instanceSize == ClassMetadata.headerSize + wordSize, let descriptor = aClass.descriptor,
            descriptor.isGeneric, descriptor.name == "ManagedAtomicLazyReference"
        else { return nil }
        return [Slot(kind: .strong, offset: ClassMetadata.headerSize)]
    }

    /// Whether a class is the storage of an `AsyncStream` or an `AsyncThrowingStream`, which has a lock behind its
    /// properties (stdlib/public/Concurrency/AsyncStreamBuffer.swift, _Storage.create).
    private func isStorageOfStream(_ aClass: ClassMetadata) -> Bool {
        guard let descriptor = aClass.descriptor, descriptor.isStandard("_Storage"), let outer = descriptor.parent
        else { return false }
        return outer.isStandard("AsyncStream") || outer.isStandard("AsyncThrowingStream")
    }

    private static func isOfFoundation(_ metadata: Metadata) -> Bool {
        metadata.descriptor.map { modulesOfLongObjects.contains($0.moduleName) } ?? false
    }

    /// A class and its superclasses, the root class first.
    private func ancestry(of metadata: Metadata) -> [Metadata] {
        var ancestry: [Metadata] = []
        var next: Metadata? = metadata
        while let current = next, current.kind == .aClass, ancestry.count < Self.superclassLimit {
            ancestry.append(current)
            next = ClassMetadata(current).superclass
        }
        return ancestry.reversed()
    }

    private func tail(of metadata: Metadata) -> (kind: rp_tail, element: rp_layout_index, value: rp_layout_index)? {
        guard let descriptor = metadata.descriptor, let kind = Self.tails[descriptor.name],
            descriptor.moduleName == "Swift"
        else { return nil }
        let arguments = metadata.genericArguments
        func argument(_ number: Int) -> rp_layout_index {
            arguments.flatMap { Metadata(address: $0.read(number * wordSize)) }.map { index(of: $0) } ?? 0
        }
        switch kind {
        case RP_TAIL_ARRAY, RP_TAIL_SET: return (kind, argument(0), 0)
        case RP_TAIL_DICTIONARY: return (kind, argument(0), argument(1))
        // The header is an ordinary property. It may contain the number of elements, which only the program knows.
        case RP_TAIL_MANAGED: return (kind, argument(1), 0)
        default: return (kind, 0, 0)
        }
    }

    private func properties(of metadata: Metadata, from start: Int, to end: Int) -> FieldContents {
        let unknown = {
            var contents = FieldContents.unknown(extent: nil)
            contents.slots = .unknown(offset: start, length: end - start)
            return contents
        }
        guard let descriptor = metadata.descriptor else { return unknown() }
        let count = descriptor.fieldCount
        guard count > 0 else { return end > start ? unknown() : FieldContents() }
        guard let fields = descriptor.fields, fields.count == count, count <= [Slot].limit,
            let offsets = ClassMetadata(metadata).fieldOffsets(count: count),
            offsets.allSatisfy({ $0 == 0 || (start...end).contains($0) })
        else { return unknown() }

        var contents = FieldContents()
        let context = context(of: metadata)
        // Offset 0 is in the object's header, so this property has no size, for example a clock.
        for (index, place) in FieldPlaces(offsets: offsets, end: end).enumerated() where place.lowerBound != 0 {
            let record = fields[index]
            let field = field(record.typeName, in: context, extent: place.count, depth: 0)
            contents.slots += field.slots.map { $0.moved(by: place.lowerBound, into: record.name) }
            if field.isPartlyConservative { contents.isPartlyConservative = true }
        }
        return contents
    }

    func count(_ isPartlyConservative: Bool) {
        statistics.types += 1
        if isPartlyConservative { statistics.conservative += 1 }
    }
}
