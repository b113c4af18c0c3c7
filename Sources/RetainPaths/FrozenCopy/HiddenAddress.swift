/// An address that is stored inverted.
///
/// A later or concurrent search must not mistake the address, or what is left of it in freed memory, for a reference.
@propertyWrapper struct HiddenAddress: Sendable, Hashable {
    private var inverted: UInt

    init(wrappedValue: UInt) { inverted = ~wrappedValue }

    var wrappedValue: UInt {
        get { ~inverted }
        set { inverted = ~newValue }
    }
}
