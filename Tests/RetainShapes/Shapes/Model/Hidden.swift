/// A reference that no search can see and that retains nothing: the address, inverted bit by bit.
///
/// For taking cycles apart again.
package struct Hidden<Object: AnyObject>: Sendable {
    private let word: UInt

    /// Hides an object, which must live for as long as it is asked for.
    package init(_ object: Object) {
        word = ~UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// The object.
    package var object: Object {
        guard let address = UnsafeRawPointer(bitPattern: ~word) else { preconditionFailure("made from an object") }
        // Alive: whoever planted a shape asks for it only in order to free it.
        return Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
    }
}
