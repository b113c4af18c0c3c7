import Testing

@testable import RetainPaths

/// Which words of plain data may be pointers.
@Suite struct LayoutPlainTests {
    @Test func paddingAndShortPropertiesOfPlainStructsAreNoPointers() {
        let found = LayoutReader(of: Source())
        // The object's header has 16 bytes. A StaticString has a pointer, a length and a byte of flags, which padding
        // follows. Numbers are no pointers.
        #expect(found.words == ["site.file+16", "site.file+24", "range.start+48", "range.end+64"])
        #expect(found.unknown.isEmpty && found.references.isEmpty)
    }
}

private struct Site {
    let file: StaticString
    let line: Int
}

private struct Extent {
    let start: UnsafeRawPointer?
    let isOpen: Bool
    let end: UnsafeRawPointer?
}

private final class Source {
    let site = Site(file: "Demo/Screen.swift", line: 12)
    let range = Extent(start: nil, isOpen: false, end: nil)
}
