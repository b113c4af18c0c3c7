import Testing

@testable import LifetimeTracer

/// The file of a site can be read again from the one word that births keep of it.
@Suite struct SiteKeyTests {
    static let files: [StaticString] = [
        #fileID, "a", "", "Modul/Größe.swift", "模块/文件.swift", StaticString(unicodeScalarLiteral: "x"),
        StaticString(unicodeScalarLiteral: "é"),
    ]

    @Test(arguments: Self.files.indices) func theFileIsTheSameAsBefore(index: Int) {
        let file = Self.files[index]
        let site = SiteKey(file: file, line: 12).site
        #expect(site.line == 12)
        #expect(site.file.description == file.description)
        #expect(site.file.isASCII == file.isASCII)
        #expect(site.file.hasPointerRepresentation == file.hasPointerRepresentation)
        if file.hasPointerRepresentation {
            #expect(site.file.utf8CodeUnitCount == file.utf8CodeUnitCount)
        }
    }
}
