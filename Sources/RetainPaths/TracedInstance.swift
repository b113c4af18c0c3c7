import LifetimeTracer

/// What a search is told of an object: nothing that holds it, or looks as if it did.
struct TracedInstance: Sendable {
    let id: InstanceID
    /// What the object carries, inverted.
    let word: UInt64

    /// Finds out under which id an object is recorded.
    ///
    /// - Throws: ``RetainPathsError/notTraced(typeName:)``.
    init(_ object: AnyObject, in registry: LifetimeRegistry) throws(RetainPathsError) {
        let traced = object as? any Traced
        let registry = traced?.lifetimeRegistry ?? registry
        guard let id = traced?.lifetimeID ?? registry.instance(carrying: Self.words(of: object)),
            let word = registry.carriedWords(of: [id])[0]
        else { throw .notTraced(typeName: TypeName(reflected: String(reflecting: type(of: object))).qualified) }
        self.id = id
        self.word = word
    }

    /// The words among an object's fields; nowhere else, as addresses are among them.
    private static func words(of object: AnyObject) -> some Sequence<UInt64> {
        #if os(Linux)
        let aClass = ClassMetadata(Metadata(of: type(of: object)))
        // The caller holds the object, and its class tells how large it is.
        let bytes = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        return stride(from: ClassMetadata.headerSize, through: aClass.instanceSize - wordSize, by: wordSize).lazy.map {
            bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
        }
        #else
        // There are no retain paths there.
        return EmptyCollection<UInt64>()
        #endif
    }
}
