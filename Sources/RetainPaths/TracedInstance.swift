import LifetimeTracer

/// The id and the carried word of an object to search for.
///
/// It neither holds the object nor looks like a reference to it.
struct TracedInstance: Sendable {
    let id: InstanceID
    /// The word that the object carries, inverted.
    let word: UInt64

    /// Finds the id under which an object is recorded.
    ///
    /// - Throws: ``RetainPathsError/notTraced(type:)``.
    init(_ object: AnyObject, in registry: LifetimeRegistry) throws(RetainPathsError) {
        let traced = object as? any Traced
        let registry = traced?.lifetimeRegistry ?? registry
        guard let id = traced?.lifetimeID ?? registry.instance(carrying: Self.words(of: object)),
            let word = registry.carriedWords(of: [id])[0]
        else { throw .notTraced(type: TypeName(reflected: String(reflecting: type(of: object)))) }
        self.id = id
        self.word = word
    }

    /// The words of an object's stored properties.
    ///
    /// They are computed lazily and never stored, because some are addresses.
    private static func words(of object: AnyObject) -> some Sequence<UInt64> {
        #if os(Linux)
        let aClass = ClassMetadata(Metadata(of: type(of: object)))
        // Safe: the caller holds the object, and its class gives its size.
        let bytes = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        return stride(from: ClassMetadata.headerSize, through: aClass.instanceSize - wordSize, by: wordSize).lazy.map {
            bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
        }
        #else
        // Retain paths are available on Linux only.
        return EmptyCollection<UInt64>()
        #endif
    }
}
