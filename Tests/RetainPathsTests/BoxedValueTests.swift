import Testing

@testable import RetainPaths

/// The names of the types of values in boxes.
@Suite struct BoxedValueTests {
    @Test(arguments: [
        ("@escaping @callee_guaranteed (@unowned Swift.Int) -> (@unowned Swift.Int)", "(Swift.Int) -> Swift.Int"),
        ("@escaping @callee_guaranteed () -> ()", "() -> ()"),
        (
            "@escaping @callee_guaranteed @Sendable (@guaranteed Demo.Screen, @unowned Swift.Bool) -> ()",
            "(Demo.Screen, Swift.Bool) -> ()"
        ),
        (
            "@escaping @callee_guaranteed () -> (@owned Demo.Screen, @unowned Swift.Int)",
            "() -> (Demo.Screen, Swift.Int)"
        ),
        ("@escaping @callee_guaranteed () -> (@error @owned Swift.Error)", "function"),
        ("Swift.Array<Swift.Int>", "Swift.Array<Swift.Int>"),
    ]) func functionIsToldAsItIsWritten(_ text: String, _ expected: String) {
        #expect(BoxedValue.functionAsWritten(text) == expected)
    }
}
