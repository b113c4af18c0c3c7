import CRetainPaths

extension LayoutCompiler {
    /// Adds the layout of a global or static variable.
    ///
    /// - Parameter typeName: The name of its type; `nil` if it is not known.
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

    /// The layout of a variable's values; `nil` if the variable has another size.
    ///
    /// Such a variable contains another type, or the address of the value.
    private func layout(of type: Metadata, size: Int) -> ValueLayout? {
        let layout = value(type, depth: 0)
        return layout.size == size && !layout.isPartlyConservative ? layout : nil
    }

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
