import Foundation

/// Writes a line at once, so that it is out when the next question should end the program.
func say(_ line: String, to file: FileHandle = .standardOutput) {
    file.write(Data("\(line)\n".utf8))
}
