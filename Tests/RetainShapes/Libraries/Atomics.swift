/// A word in memory that is kept as the packages of atomics keep a reference: as a number, beside a version.
///
/// The shapes use one thread at a time, so that no operation here has to be atomic.
public struct AtomicOptionalReferenceStorage<Instance: AnyObject> {
    var low: UInt
    var high: UInt

    init(_ instance: Instance?) {
        // Retained for the storage; `exchange(_:)` gives that reference back.
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

/// An atomic reference in an object of its own.
public final class ManagedAtomic<Instance: AnyObject> {
    private var storage: AtomicOptionalReferenceStorage<Instance>

    /// Creates one that holds an instance.
    public init(_ instance: Instance?) { storage = AtomicOptionalReferenceStorage(instance) }

    deinit { _ = storage.exchange(nil) }

    /// Replaces the instance.
    public func exchange(_ instance: Instance?) -> Instance? { storage.exchange(instance) }

    /// The instance.
    public func load() -> Instance? { storage.load() }
}

/// A reference that is set once.
public final class ManagedAtomicLazyReference<Instance: AnyObject> {
    private var storage: UInt = 0

    /// Creates one without an instance.
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
