/// The place of an expectation in the source of a test.
struct CallSite: Sendable {
    /// The file as `Module/File.swift`.
    let fileID: String
    /// The full path of the file.
    let filePath: StaticString
    let line: Int
    let column: Int

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: Int, _ column: Int) {
        self.fileID = "\(fileID)"
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}
