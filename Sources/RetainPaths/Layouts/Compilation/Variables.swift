import CRetainPaths

extension LayoutCompiler {
    /// Enters the layout of a global or static variable.
    ///
    /// - Parameter typeName: The name of its type; `nil` where that is not known.
    func compileVariable(_ range: Range<UInt>, _ typeName: MangledName?) {
        let key = rp_variable_key(range.lowerBound)
        guard table.find(key) == 0 else { return }
        guard let typeName, let type = type(named: typeName, in: .none), ownsByItsType(type),
            let layout = layout(of: type, size: range.count)
        else {
            enterUnknown(key: key)
            return
        }
        _ = enter(layout, key: key)
    }

    /// The layout of a variable's values; `nil` where the variable has another size than they: what is in it is another type then, or the
    /// address of such a value.
    private func layout(of type: Metadata, size: Int) -> ValueLayout? {
        let layout = value(type, depth: 0)
        return layout.size == size && !layout.isPartlyConservative ? layout : nil
    }

    /// Whether a variable of a type owns what it refers to: one of a class or a protocol for classes, optional or not, may also be
    /// `weak` or `unowned`, which no symbol tells.
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
