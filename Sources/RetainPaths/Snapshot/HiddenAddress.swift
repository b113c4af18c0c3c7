/// An address that is kept inverted bit by bit: a later search, or one that others make at the same time, must not take what an earlier one has
/// found, or what was left of it in freed memory, for a reference.
@propertyWrapper struct HiddenAddress: Sendable, Hashable {
    private var inverted: UInt

    init(wrappedValue: UInt) { inverted = ~wrappedValue }

    var wrappedValue: UInt {
        get { ~inverted }
        set { inverted = ~newValue }
    }
}
