/// A non-retaining reference that no search can find: the address, inverted bit by bit.
///
/// The shapes use it to break cycles.
package struct Hidden<Object: AnyObject>: Sendable {
    private let word: UInt

    /// Hides an object.
    ///
    /// The object must be alive whenever `object` is read.
    package init(_ object: Object) {
        word = ~UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Retains an object, and hides it.
    @inline(never)
    package init(retaining object: Object, times: Int) {
        // Safe: `release` balances these retains.
        for _ in 0..<times { _ = Unmanaged.passRetained(object) }
        self.init(object)
    }

    /// Releases an object that was retained when it was hidden.
    @inline(never)
    package func release(times: Int) {
        // Safe: these releases balance the retains of the initializer, which keep the object alive until the last.
        let unmanaged = Unmanaged.passUnretained(object)
        for _ in 0..<times { unmanaged.release() }
    }

    /// The object.
    package var object: Object {
        guard let address = UnsafeRawPointer(bitPattern: ~word) else { preconditionFailure("made from an object") }
        // The object is alive: a shape reads this property only to free the object.
        return Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
    }
}
