/// What gives the arguments for the generic parameters in a name.
///
/// The pointers are those of metadata, which is never freed, or of an environment that its owner keeps.
enum GenericContext {
    /// Nothing: the name must do without.
    case none
    /// A type's metadata.
    case type(descriptor: ContextDescriptor, arguments: UnsafeRawPointer?, identity: UInt64)
    /// The words of bindings in a closure's context.
    case environment(GenericEnvironment)

    var identity: UInt64 {
        switch self {
        case .none: 0
        case .type(_, _, let identity): identity
        case .environment(let environment): environment.identity
        }
    }

    func isBound(_ parameter: GenericParameter) -> Bool {
        switch self {
        case .none: false
        case .type(_, let arguments, _): arguments != nil
        case .environment(let environment): environment.isBound(parameter)
        }
    }

    /// Whether there are packs among the arguments; asked to expand anything else, the runtime ends the program.
    var hasPacks: Bool {
        guard case .type(let descriptor, let arguments, _) = self, arguments != nil else { return false }
        return descriptor.genericParameters?.kindsWithArguments?.contains(.pack) ?? false
    }
}
