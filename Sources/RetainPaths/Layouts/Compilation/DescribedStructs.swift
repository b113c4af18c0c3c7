import CRetainPaths

/// The layouts of structs without metadata, put together from their properties.
///
/// An optimised program does not contain the metadata of a struct that nothing needs, and the capture of a generic
/// function that is not specialised does not name the arguments of its type. The descriptors of the types of both are
/// in the program.
extension LayoutCompiler {
    /// The contents of a struct, or of an optional one, from its descriptor; `nil` if it is no struct.
    ///
    /// The result is also `nil` if the size of a property is not known.
    /// Properties lie one behind the other, each aligned (lib/IRGen/StructLayout.cpp).
    func describedStruct(_ name: MangledName, in context: GenericContext, depth: Int) -> FieldContents? {
        guard depth < Self.depthLimit else { return nil }
        if let wrapped = name.wrapped {
            return describedStruct(wrapped, in: context, depth: depth + 1).flatMap(optional)
        }
        guard let descriptor = name.descriptor, descriptor.kind == .aStruct, let fields = descriptor.fields,
            fields.count == descriptor.fieldCount, (1...[Slot].limit).contains(fields.count),
            let inside = arguments(of: name, descriptor, in: context)
        else { return nil }
        var whole = SequentialContents()
        for index in 0..<fields.count {
            guard let type = fields[index].typeName,
                whole.add(property(type, inside, in: context, depth: depth + 1), name: fields[index].name)
            else { return nil }
        }
        return whole.contents
    }

    /// The generic arguments of a struct: their names, and the context in which the names of properties can be resolved
    /// if all arguments have metadata.
    private struct Arguments {
        var names: [MangledName] = []
        var references: Set<GenericParameter> = []
        var context = GenericContext.none
    }

    /// `nil` if the arguments are not known, such as those of a type in a generic type.
    private func arguments(
        of name: MangledName, _ descriptor: ContextDescriptor, in context: GenericContext
    ) -> Arguments? {
        guard let parameters = descriptor.genericParameters else { return Arguments() }
        guard let names = name.genericArguments, let kinds = parameters.kindsWithArguments,
            kinds.count == names.count, kinds.allSatisfy({ $0 == .type })
        else { return nil }
        var arguments = Arguments(names: names, references: parameters.references)
        let types = names.compactMap { type(named: $0, in: context) }
        if types.count == names.count {
            let identity = TypeIdentities.combine(
                [UInt64(descriptor.pointer.address)] + types.map { identities.identity(of: $0) })
            arguments.context = .type(
                descriptor: descriptor, arguments: vector(of: types, identity), identity: identity)
        }
        return arguments
    }

    /// The addresses of some types, one behind the other, as in the metadata of a generic type.
    ///
    /// The memory is never freed, like metadata.
    private func vector(of types: [Metadata], _ identity: UInt64) -> UnsafeRawPointer {
        if let known = argumentVectors[identity] { return known }
        let vector = UnsafeMutablePointer<UInt>.allocate(capacity: types.count)
        vector.initialize(from: types.map(\.address), count: types.count)
        argumentVectors[identity] = UnsafeRawPointer(vector)
        return UnsafeRawPointer(vector)
    }

    private func property(
        _ type: MangledName, _ arguments: Arguments, in context: GenericContext, depth: Int
    ) -> FieldContents {
        // Parameters without an argument do not change what a function consists of.
        if type.isFunction { return function(true, false, depth: depth) }
        if let wrapped = type.wrapped, wrapped.isFunction { return function(true, true, depth: depth) }
        guard let lexemes = NameLexemes.lexemes(of: type),
            // The witness tables of the arguments, in which associated types are looked up, are not known.
            !lexemes.contains(where: { $0.kind == .dependentMember || $0.kind == .pack })
        else { return .unknown(extent: nil) }
        guard let parameter = type.parameter else {
            return field(type, in: arguments.context, extent: nil, depth: depth)
        }
        guard parameter.depth == 0, parameter.index < arguments.names.count else { return .unknown(extent: nil) }
        if arguments.references.contains(parameter) { return FieldContents(.reference) }
        return field(arguments.names[parameter.index], in: context, extent: nil, depth: depth)
    }

    /// The contents of an optional, if the wrapped struct has one reference or function and nothing else: then a null
    /// pointer stands for nil.
    private func optional(_ wrapped: FieldContents) -> FieldContents? {
        guard wrapped.slots.count == 1, let slot = wrapped.slots.first, slot.offset == 0, wrapped.size == slot.length
        else { return nil }
        switch slot.kind {
        case .strong: return wrapped
        case .function:
            var contents = function(true, true, depth: 0)
            contents.slots = contents.slots.map { $0.moved(by: 0, into: slot.name) }
            return contents
        default: return nil
        }
    }
}
