import CRetainPaths

extension LayoutCompiler {
    /// The layout of a type's values.
    func value(_ metadata: Metadata, depth: Int) -> ValueLayout {
        if metadata.isClass { return .reference }
        if let known = values[metadata.address] { return known }
        guard let witnesses = metadata.witnesses else {
            var block = ValueLayout.unknown(size: wordSize)
            guard metadata.kind == .function, FunctionMetadata(metadata).isBlock else { return block }
            // A C block (closure) counts as raw memory.
            block.slots = [Slot(kind: .plain)]
            block.isPartlyConservative = false
            return block
        }
        guard witnesses.isComplete, depth < Self.depthLimit, witnesses.size <= Self.longestValue else {
            return .unknown(size: witnesses.size, alignment: witnesses.alignment)
        }
        var layout = parts(of: metadata, witnesses, depth: depth)
        layout.size = witnesses.size
        layout.stride = witnesses.stride
        layout.alignment = witnesses.alignment
        if layout.slots.count > [Slot].limit { layout.slots = .unknown(length: witnesses.size) }
        if layout.slots.isPartlyConservative { layout.isPartlyConservative = true }
        values[metadata.address] = layout
        return layout
    }

    /// The largest size in bytes.
    ///
    /// Larger values are scanned conservatively.
    private static let longestValue = 1 << 20

    private func parts(of metadata: Metadata, _ witnesses: ValueWitnesses, depth: Int) -> ValueLayout {
        let size = witnesses.size
        let empty = ValueLayout(size: size, stride: witnesses.stride, alignment: witnesses.alignment, slots: [])
        let unknown = ValueLayout.unknown(size: size, alignment: witnesses.alignment)
        if let layout = ownedReference(metadata, empty) { return layout }
        if let layout = unmanagedReference(metadata, empty) { return layout }
        // This precedes the check for plain types, because an `Atomic` of an `Unmanaged` is plain.
        if let layout = atomic(metadata, empty, depth: depth) { return layout }
        if witnesses.isPlain { return plain(metadata, empty, depth: depth) }

        var layout = empty
        switch metadata.kind {
        case .aStruct: return structure(metadata, layout, depth: depth)
        case .anEnum, .optional: return enumeration(metadata, layout, depth: depth)
        case .tuple: return tuple(metadata, empty, depth: depth) ?? unknown
        case .function:
            // A differentiable function consists of three functions.
            guard FunctionMetadata(metadata).hasContext, size.isMultiple(of: 2 * wordSize) else { return unknown }
            layout.slots = stride(from: 0, to: size, by: 2 * wordSize).map {
                Slot(kind: .function, offset: $0, length: 2 * wordSize)
            }
            return layout
        case .existential:
            switch ExistentialMetadata(metadata).representation {
            case .opaque: layout.slots = [Slot(kind: .existential, length: size)]
            case .aClass, .error: layout.slots = [Slot(kind: .strong)]
            }
            return layout
        case .extendedExistential:
            switch ExtendedExistentialMetadata(metadata).representation {
            case .opaque: layout.slots = [Slot(kind: .existential, length: size)]
            case .aClass: layout.slots = [Slot(kind: .strong)]
            default: return unknown
            }
            return layout
        case .fixedArray:
            let array = FixedArrayMetadata(metadata)
            guard let element = array.element else { return unknown }
            layout.add(value(element, depth: depth + 1), count: array.count)
            return layout
        case .opaque:
            // Of the builtin types that are not plain, those of one word are references: NativeObject, BridgeObject,
            // UnknownObject.
            guard size == wordSize else { return plain(metadata, empty, depth: depth) }
            layout.slots = [Slot(kind: .strong)]
            return layout
        default: return unknown
        }
    }

    /// The layout of a tuple; `nil` if the type of an element is unknown.
    private func tuple(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout? {
        let tuple = TupleMetadata(metadata)
        guard tuple.count <= [Slot].limit else { return nil }
        var layout = empty
        for (index, label) in tuple.labels.enumerated() {
            guard let (type, offset) = tuple[index] else { return nil }
            let element = value(type, depth: depth + 1)
            layout.add(element, at: offset, name: label.isEmpty ? String(index) : label)
        }
        return layout
    }

    /// The layout of plain data, whose whole words may be pointers to raw memory.
    private func plain(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout {
        if let layout = plainStructure(metadata, empty, depth: depth) { return layout }
        // Only the layouts of the parts tell which word may be a retained pointer.
        if let layout = plainParts(metadata, empty, depth: depth), layout.slots.mayRetain { return layout }
        var layout = empty
        layout.isPlain = true
        layout.key = keyKind(of: metadata)
        // A number is not the address of memory that the value owns.
        let length = layout.key == RP_KEY_NONE ? empty.size / wordSize * wordSize : 0
        if length > 0 { layout.slots = [Slot(kind: .plain, length: length)] }
        return layout
    }

    /// The layout of plain data by its parts; `nil` if the type has no parts that may be pointers.
    private func plainParts(_ metadata: Metadata, _ empty: ValueLayout, depth: Int) -> ValueLayout? {
        guard empty.size >= wordSize else { return nil }
        switch metadata.kind {
        case .tuple: return tuple(metadata, empty, depth: depth)
        case .aStruct where empty.size > wordSize: return structure(metadata, empty, depth: depth)
        case .anEnum, .optional:
            return payloadMayRetain(metadata, empty, depth: depth)
                ? enumeration(metadata, empty, depth: depth) : nil
        default: return nil
        }
    }

    /// The layout of a type that owns an object although its properties are plain.
    ///
    /// swift-atomics stores a reference as a number in the first of two words (AtomicStrongReference.swift).
    private func ownedReference(_ metadata: Metadata, _ empty: ValueLayout) -> ValueLayout? {
        guard metadata.kind == .aStruct, let descriptor = metadata.descriptor, descriptor.isGeneric else { return nil }
        switch descriptor.name {
        case "AtomicLazyReference" where descriptor.moduleName == "Synchronization" && empty.size == wordSize:
            return .reference
        case "AtomicReferenceStorage", "AtomicOptionalReferenceStorage":
            guard empty.size == 2 * wordSize else { return nil }
            var layout = empty
            layout.slots = [Slot(kind: .strong)]
            return layout
        default:
            return nil
        }
    }

    /// The layout of an `Unmanaged`, of a pointer without a type, or of a pointer to objects, optional or not.
    ///
    /// They are plain data, but their object may have been retained manually. A pointer may also lead to memory of C.
    /// Foundation's `NSURL` keeps its text as a pointer to an object of Core Foundation.
    private func unmanagedReference(_ metadata: Metadata, _ empty: ValueLayout) -> ValueLayout? {
        let type = wrappedType(of: metadata) ?? metadata
        guard type.kind == .aStruct, empty.size == wordSize, let descriptor = type.descriptor,
            descriptor.moduleName == "Swift"
        else { return nil }
        var layout = empty
        switch descriptor.name {
        case "Unmanaged": layout.slots = [Slot(kind: .unmanaged)]
        case "UnsafePointer", "UnsafeMutablePointer":
            guard let target = type.genericArguments.flatMap({ Metadata(address: $0.read(0)) }) else { return nil }
            if let lock = sizeOfLock(target) {
                layout.slots = [Slot(kind: .plain, length: wordSize), Slot(kind: .lock, length: lock)]
            } else if isReference(target) {
                layout.slots = [Slot(kind: .plain, length: wordSize), Slot(kind: .unmanaged)]
            } else {
                return nil
            }
            layout.isPlain = true
        case "OpaquePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer":
            layout.slots = [Slot(kind: .plain, length: wordSize), Slot(kind: .unmanaged)]
            layout.isPlain = true
        default: return nil
        }
        return layout
    }

    /// Whether a type's values are references to objects: a class, or `AnyObject`, which stands for types of Core
    /// Foundation.
    private func isReference(_ type: Metadata) -> Bool {
        type.isClass || type.kind == .existential && ExistentialMetadata(type).representation == .aClass
    }

    /// The size of a type that is a lock of C; else `nil`.
    ///
    /// Foundation's `NSLock`, `NSCondition` and other locks allocate such locks.
    private func sizeOfLock(_ type: Metadata) -> Int? {
        guard let descriptor = type.descriptor, descriptor.moduleName == "__C",
            ["pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "sem_t"].contains(descriptor.name)
        else { return nil }
        return type.witnesses?.size
    }

    /// The type that an optional wraps; `nil` for any other type.
    private func wrappedType(of metadata: Metadata) -> Metadata? {
        guard metadata.kind == .optional else { return nil }
        return metadata.genericArguments.flatMap { Metadata(address: $0.read(0)) }
    }

    private func keyKind(of metadata: Metadata) -> rp_key_kind {
        switch metadata {
        case Metadata(of: Int.self), Metadata(of: Int64.self), Metadata(of: Int32.self), Metadata(of: Int16.self),
            Metadata(of: Int8.self):
            RP_KEY_SIGNED
        case Metadata(of: UInt.self), Metadata(of: UInt64.self), Metadata(of: UInt32.self),
            Metadata(of: UInt16.self), Metadata(of: UInt8.self):
            RP_KEY_UNSIGNED
        default: onlyProperty(of: metadata).map(keyKind) ?? RP_KEY_NONE
        }
    }

    /// The type of a struct's only property, if the property has the size of the struct.
    private func onlyProperty(of metadata: Metadata) -> Metadata? {
        guard metadata.kind == .aStruct, let descriptor = metadata.descriptor, descriptor.fieldCount == 1,
            descriptor.moduleName != "Swift", let name = descriptor.fields?[0].typeName
        else { return nil }
        let found = type(named: name, in: context(of: metadata))
        return found.flatMap { $0.witnesses?.size == metadata.witnesses?.size ? $0 : nil }
    }
}

extension ValueLayout {
    /// Adds the slots of a part at an offset.
    mutating func add(_ part: ValueLayout, at offset: Int, name: String) {
        slots += part.slots.map { $0.moved(by: offset, into: name) }
        if part.isPartlyConservative { isPartlyConservative = true }
    }

    /// Adds the slots of `count` equal parts, one behind the other.
    ///
    /// With too many slots, the whole value counts as unknown.
    mutating func add(_ part: ValueLayout, count: Int) {
        guard !part.slots.isEmpty else { return }
        guard count <= [Slot].limit / part.slots.count else {
            slots = .unknown(length: size)
            return
        }
        for index in 0..<count { add(part, at: index * part.stride, name: "[\(index)]") }
    }
}
