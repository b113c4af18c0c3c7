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

    /// The object.
    package var object: Object {
        guard let address = UnsafeRawPointer(bitPattern: ~word) else { preconditionFailure("made from an object") }
        // The object is alive: a shape reads this property only to free the object.
        return Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
    }
}
