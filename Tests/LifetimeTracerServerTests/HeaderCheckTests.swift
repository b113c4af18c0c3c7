import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

/// Which header fields a server sends.
@Suite struct HeaderCheckTests {
    private func isAllowed(_ name: String, _ value: String) -> Bool {
        HeaderCheck.objection(to: HTTPHeaders.Field(name, value)) == nil
    }

    @Test(arguments: 0..<20) func eachCharacterOfANameIsChecked(_ position: Int) {
        let tokens = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)
        for scalar in (0...0xFF).map({ UnicodeScalar(UInt8($0)) }) {
            let name = String(repeating: "x", count: position) + String(scalar) + "x"
            #expect(isAllowed(name, "a") == tokens.contains(scalar), "\(scalar.value)")
        }
    }

    @Test(arguments: 0..<20, [0, 1, 9]) func eachCharacterOfAValueIsChecked(_ position: Int, _ rest: Int) {
        for scalar in (0...0xFF).map({ UnicodeScalar(UInt8($0)) }) {
            let value = String(repeating: "a", count: position) + String(scalar) + String(repeating: "b", count: rest)
            let isControl = scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
            #expect(isAllowed("X-Test", value) == !isControl, "\(scalar.value)")
        }
    }
}
