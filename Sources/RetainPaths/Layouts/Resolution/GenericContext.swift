/// The source of the arguments for the generic parameters in a name.
///
/// The pointers stay valid: they lead to metadata, which is never freed, or into an environment that its owner retains.
enum GenericContext {
    /// There are no arguments.
    case none
    /// The arguments are in a type's metadata.
    case type(descriptor: ContextDescriptor, arguments: UnsafeRawPointer?, identity: UInt64)
    /// The arguments are among the words of bindings in a closure's context.
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

    /// Whether there are packs among the arguments.
    ///
    /// If the runtime is asked to expand anything else, it ends the program.
    var hasPacks: Bool {
        guard case .type(let descriptor, let arguments, _) = self, arguments != nil else { return false }
        return descriptor.genericParameters?.kindsWithArguments?.contains(.pack) ?? false
    }
}
