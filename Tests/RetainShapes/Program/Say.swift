import Foundation

/// Writes a line without buffering, so that the line is visible even if the next search crashes the program.
func say(_ line: String, to file: FileHandle = .standardOutput) {
    file.write(Data("\(line)\n".utf8))
}
