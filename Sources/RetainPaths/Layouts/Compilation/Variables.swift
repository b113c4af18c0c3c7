import CRetainPaths

extension LayoutCompiler {
    /// Adds the layout of a global or static variable.
    ///
    /// - Parameter typeName: The name of its type; `nil` if it is not known.
    func compileVariable(_ range: Range<UInt>, _ typeName: MangledName?) {
        let key = rp_variable_key(range.lowerBound)
        guard table.find(key) == 0 else { return }
        guard let layout = typeName.flatMap({ layout(ofVariable: $0, size: range.count) }) else {
            enterUnknown(key: key)
            return
        }
        _ = enter(layout, key: key)
    }

    private func layout(ofVariable typeName: MangledName, size: Int) -> ValueLayout? {
        if let type = type(named: typeName, in: .none) {
            return ownsByItsType(type) ? layout(of: type, size: size) : nil
        }
        // A struct owns what its properties own.
        guard let contents = describedStruct(typeName, in: .none, depth: 0), contents.size == size,
            !contents.isPartlyConservative
        else { return nil }
        var layout = ValueLayout.unknown(size: size, alignment: contents.alignment)
        layout.slots = contents.slots
        layout.isPartlyConservative = false
        return layout
    }

    /// Adds the layout of a variable that contains an object.
    ///
    /// The size shows whether the object is of that class.
    func compileObject(_ range: Range<UInt>, _ className: MangledName) {
        let key = rp_variable_key(range.lowerBound)
        guard table.find(key) == 0 else { return }
        guard let type = type(named: className, in: .none), type.kind == .aClass,
            range.count == Self.flagOfObject + (ClassMetadata(type).instanceSize + wordSize - 1) / wordSize * wordSize
        else {
            enterUnknown(key: key)
            return
        }
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_STATIC_OBJECT.rawValue)
        entry.size = UInt32(clamping: range.count)
        entry.object_class = type.address
        _ = table.add(key: key, entry, [])
    }

    /// The size of the flag in front of the object; see `RP_STATIC_OBJECT_FLAG`.
    private static let flagOfObject = wordSize

    /// The layout of a variable's values; `nil` if the variable has another size than the values, and is no buffer for
    /// them either.
    private func layout(of type: Metadata, size: Int) -> ValueLayout? {
        let layout = value(type, depth: 0)
        guard !layout.isPartlyConservative else { return nil }
        if layout.size == size { return layout }
        guard size == Self.bufferSize, let witnesses = type.witnesses else { return nil }
        if witnesses.isInline { return layout }
        let slot = Slot(kind: .outlined, length: wordSize, layout: index(of: type))
        return ValueLayout(size: size, stride: size, alignment: wordSize, slots: [slot])
    }

    /// The size of the buffer that a variable of a resilient type has for its value.
    ///
    /// A value that does not fit lies elsewhere, and the buffer contains its address (NumWords_ValueBuffer in
    /// swift/ABI/MetadataValues.h).
    private static let bufferSize = 3 * wordSize

    /// Whether the type of a variable shows that the variable owns its object.
    ///
    /// A variable of a class or class-bound protocol, optional or not, may also be `weak` or `unowned`, and its symbol
    /// does not say so.
    private func ownsByItsType(_ type: Metadata) -> Bool {
        switch type.kind {
        case .aClass, .foreignClass, .objectiveCWrapper: false
        case .existential: ExistentialMetadata(type).representation != .aClass
        case .extendedExistential: ExtendedExistentialMetadata(type).representation != .aClass
        case .optional:
            type.genericArguments.flatMap { Metadata(address: $0.read(0)) }.map(ownsByItsType) ?? false
        default: true
        }
    }
}
