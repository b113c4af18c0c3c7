/// Where an expectation stands in a test.
struct CallSite: Sendable {
    /// The file as `Module/File.swift`.
    let fileID: String
    /// The file's whole path.
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
