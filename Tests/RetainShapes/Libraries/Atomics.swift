/// A storage word for a reference in the layout of atomics packages: the reference as a number, followed by a version.
///
/// The operations are not atomic, because the shapes use one thread at a time.
public struct AtomicOptionalReferenceStorage<Instance: AnyObject> {
    var low: UInt
    var high: UInt

    init(_ instance: Instance?) {
        // Retained for the storage; `exchange(_:)` returns this reference to its caller.
        low = instance.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
        high = 1
    }

    mutating func exchange(_ instance: Instance?) -> Instance? {
        let former = UnsafeRawPointer(bitPattern: low).map { Unmanaged<Instance>.fromOpaque($0).takeRetainedValue() }
        low = instance.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
        high += 1
        return former
    }

    func load() -> Instance? {
        UnsafeRawPointer(bitPattern: low).map { Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// An atomic reference in its own object.
public final class ManagedAtomic<Instance: AnyObject> {
    private var storage: AtomicOptionalReferenceStorage<Instance>

    /// Creates an atomic reference to an instance.
    public init(_ instance: Instance?) { storage = AtomicOptionalReferenceStorage(instance) }

    deinit { _ = storage.exchange(nil) }

    /// Replaces the instance.
    public func exchange(_ instance: Instance?) -> Instance? { storage.exchange(instance) }

    /// The instance.
    public func load() -> Instance? { storage.load() }
}

/// A reference that can be set once.
public final class ManagedAtomicLazyReference<Instance: AnyObject> {
    private var storage: UInt = 0

    /// Creates a reference without an instance.
    public init() {}

    deinit { UnsafeRawPointer(bitPattern: storage).map { Unmanaged<Instance>.fromOpaque($0).release() } }

    /// Sets the instance if there is none.
    public func storeIfNilThenLoad(_ instance: Instance) -> Instance {
        guard let known = UnsafeRawPointer(bitPattern: storage) else {
            // Retained for the storage, and released in `deinit`.
            storage = UInt(bitPattern: Unmanaged.passRetained(instance).toOpaque())
            return instance
        }
        return Unmanaged<Instance>.fromOpaque(known).takeUnretainedValue()
    }
}
