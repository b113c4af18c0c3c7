/// Generic parameters with their arguments, in the form that the runtime needs for a name outside any type
/// (swift/ABI/GenericContext.h, TargetGenericEnvironment).
///
/// The program contains no environment for a closure's context. This one is made from the capture descriptor's
/// description of the bindings.
final class GenericEnvironment {
    /// Nested closures and generic types rarely exceed these limits.
    ///
    /// Parameters beyond them are ignored.
    private static let depthLimit = 4
    private static let parameterLimit = 16

    /// A number for the arguments that is the same in a throwaway process.
    let identity: UInt64
    /// The elements of parameter packs, which the runtime takes from no environment.
    private(set) var packs: [GenericParameter: [Metadata]] = [:]
    private let bound: Set<GenericParameter>
    // Allocated by the initializer, constant afterwards, and freed in `deinit`.
    private let words: UnsafeMutableRawPointer
    private let arguments: UnsafeMutablePointer<UInt>

    /// Makes the environment of a context; `nil` if no parameter has an argument.
    init?(captures: CaptureDescriptor, bindings: [UInt], identities: inout TypeIdentities) {
        var arguments: [GenericParameter: Argument] = [:]
        var counts: [GenericParameter: UInt] = [:]
        for (parameter, source) in captures.sources {
            guard let binding = Binding(source), binding.index < bindings.count else { continue }
            if let pack = parameter.tupleOfPack {
                let word = bindings[binding.index]
                if binding.kind == .count {
                    counts[pack] = word
                } else {
                    packs[pack] = Self.elements(at: word, counts[pack])
                }
                continue
            }
            guard let bound = parameter.parameter, bound.depth < Self.depthLimit, bound.index < Self.parameterLimit
            else { continue }
            let word = bindings[binding.index]
            arguments[bound] = binding.kind == .value ? .value(word) : Metadata(address: word).map { .type($0) }
        }
        guard !arguments.isEmpty || !packs.isEmpty else { return nil }

        let depth = (arguments.keys.map(\.depth).max() ?? 0) + 1
        let levels = (0..<depth).map { level in
            (arguments.keys.filter { $0.depth == level }.map(\.index).max() ?? -1) + 1
        }
        let parameters = levels.enumerated().flatMap { level, count in
            (0..<count).map { GenericParameter(depth: level, index: $0) }
        }
        bound = Set(arguments.keys)
        identity = TypeIdentities.combine(
            parameters.map { parameter in
                switch arguments[parameter] {
                case .type(let type): identities.identity(of: type)
                case .value(let word): UInt64(word)
                case nil: 0
                }
            }
                + packs.sorted { ($0.key.depth, $0.key.index) < ($1.key.depth, $1.key.index) }
                .flatMap { pack in
                    [UInt64(pack.value.count)] + pack.value.map { identities.identity(of: $0) }
                })

        // The flags (GenericEnvironmentFlags) contain the number of levels. The cumulative counts of parameters follow,
        // in 16 bits each. Then there is a byte for each parameter (GenericParamDescriptor): a type (0) or value (2)
        // with an argument (0x80). No requirements follow.
        words = .allocate(byteCount: 4 + 2 * depth + parameters.count, alignment: 4)
        words.storeBytes(of: UInt32(depth), as: UInt32.self)
        var sum = 0
        for (level, count) in levels.enumerated() {
            sum += count
            words.storeBytes(of: UInt16(sum), toByteOffset: 4 + 2 * level, as: UInt16.self)
        }
        for (index, parameter) in parameters.enumerated() {
            var kind = GenericParameters.Kind.type
            if case .value = arguments[parameter] { kind = .value }
            words.storeBytes(of: 0x80 | kind.rawValue, toByteOffset: 4 + 2 * depth + index, as: UInt8.self)
        }
        // A parameter without an argument gets a placeholder, because no word may be missing. Names with such
        // parameters are refused, so the placeholder is never used.
        let placeholder = Metadata(of: Int.self).address
        self.arguments = .allocate(capacity: parameters.count)
        self.arguments.initialize(
            from: parameters.map { parameter in
                switch arguments[parameter] {
                case .type(let type): type.address
                case .value(let word): word
                case nil: placeholder
                }
            }, count: parameters.count)
    }

    deinit {
        words.deallocate()
        arguments.deallocate()
    }

    func isBound(_ parameter: GenericParameter) -> Bool {
        bound.contains(parameter)
    }

    /// Calls a function with the environment and its arguments.
    ///
    /// The pointers are valid during the call only.
    func withPointers<Result>(
        _ body: (UnsafeRawPointer, UnsafePointer<UnsafeRawPointer?>) -> Result
    ) -> Result {
        arguments.withMemoryRebound(to: UnsafeRawPointer?.self, capacity: 1) { arguments in
            withExtendedLifetime(self) { body(UnsafeRawPointer(words), UnsafePointer(arguments)) }
        }
    }

    private enum Argument {
        case type(Metadata)
        case value(UInt)
    }

    /// The types in a pack.
    ///
    /// The lowest bit of a pack's address is a flag (swift/ABI/Metadata.h, TargetPackPointer). Safe: the word and the
    /// count are bindings of a closure's context, which the compiler fills, or arguments in a type's metadata.
    static func elements(at word: UInt, _ count: UInt?) -> [Metadata]? {
        guard let count, count <= elementLimit else { return nil }
        guard let pointer = UnsafeRawPointer(bitPattern: word & ~1) else { return count == 0 ? [] : nil }
        let elements = (0..<Int(count)).compactMap { Metadata(address: pointer.read($0 * wordSize)) }
        return elements.count == Int(count) ? elements : nil
    }

    private static let elementLimit = 64

    /// The place of an argument (swift/RemoteInspection/MetadataSource.h): `B0` is a binding of the closure, `vB0` a
    /// binding that is a number, and `sB0` a binding that is the element count of a pack and precedes the pack.
    ///
    /// Other sources are the types of captured objects. There is a binding for them, too.
    private struct Binding {
        enum Kind { case type, value, count }

        let index: Int
        let kind: Kind

        init?(_ source: String) {
            var rest = source[...]
            switch source.first {
            case "v": kind = .value
            case "s": kind = .count
            default: kind = .type
            }
            if kind != .type { rest.removeFirst() }
            guard rest.first == "B", let index = Int(rest.dropFirst().prefix { $0 != "_" }) else { return nil }
            self.index = index
        }
    }
}
