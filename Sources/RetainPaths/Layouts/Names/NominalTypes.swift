import LifetimeTracer

/// The descriptors of types by their names, including types that the runtime does not find by name.
///
/// Types that are not copyable are listed in a section that the runtime does not read (lib/IRGen/GenReflection.cpp).
/// Private types cannot be found by name: their discriminator is in no descriptor.
struct NominalTypes {
    /// A type's kind, and its names from the module down.
    struct Path: Hashable {
        let kind: ContextDescriptor.Kind
        let names: [String]
    }

    private static let sections = ["swift5_type_metadata_2", "swift5_type_metadata"]
    /// The largest number of paths.
    ///
    /// Programs have fewer types.
    private static let limit = 1 << 20

    /// `nil` for a path that two types share.
    private var descriptors: [Path: ContextDescriptor?] = [:]

    /// Lists the types of all loaded objects.
    ///
    /// This takes some milliseconds in a program with Foundation.
    init() {
        for section in Self.sections.flatMap(LoadedSections.named) {
            // Safe: the section is mapped as long as its object is loaded, and its records are the compiler's.
            // TypeMetadataRecord: a relative pointer whose lowest two bits are 1 if it is indirect.
            for record in stride(from: section.lowerBound, to: section.upperBound, by: 4) {
                guard descriptors.count < Self.limit, let place = UnsafeRawPointer(bitPattern: record) else { return }
                let word = Int(place.read(0, as: Int32.self))
                let target = place + (word & ~3)
                guard word != 0, word & 3 <= 1, let pointer = word & 1 == 0 ? target : target.pointer(0) else {
                    continue
                }
                add(ContextDescriptor(pointer))
            }
        }
    }

    /// The descriptor of the type with a path; `nil` if two types share the path.
    subscript(path: Path) -> ContextDescriptor? {
        descriptors[path] ?? nil
    }

    private mutating func add(_ descriptor: ContextDescriptor) {
        guard let kind = descriptor.kind, kind != .module, let names = descriptor.names else { return }
        let path = Path(kind: kind, names: names)
        if let known = descriptors[path], known != descriptor {
            descriptors[path] = .some(nil)
        } else {
            descriptors[path] = descriptor
        }
    }
}

extension ContextDescriptor {
    /// The names of the contexts from the module down; `nil` for a type inside a function or inside an extension of
    /// another module's type.
    fileprivate var names: [String]? {
        var names: [String] = []
        var context: Self? = self
        for _ in 0..<32 {
            guard let current = context else { return nil }
            switch current.kind {
            case .module: return [current.name] + names.reversed()
            case .aClass, .aStruct, .anEnum: names.append(current.name)
            // ContextDescriptorKind::Anonymous is the context of private declarations.
            case nil:
                guard current.isAnonymous else { return nil }
            }
            context = current.parent
        }
        return nil
    }
}
