/// The place of an expectation in the source of a test.
struct CallSite: Sendable {
    /// The file as `Module/File.swift`.
    let fileID: String
    /// The full path of the file.
    let filePath: StaticString
    let line: UInt
    let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = "\(fileID)"
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
