/// Reads whole files of limited size.
package enum SmallFile {
    /// The reason why a file is not read.
    package enum Failure: Error, Sendable, Hashable {
        case cannotOpen(SystemError)
        /// The path leads to a directory, a pipe or a device.
        case notRegular
        case cannotRead(SystemError)
        /// The file has more bytes than the limit.
        case tooLong

        /// The problem and the remedy in words.
        ///
        /// - Parameters:
        ///   - limit: The largest accepted number of bytes.
        ///   - shortening: What makes a file of this kind shorter, as a sentence.
        package func explanation(limit: Int, shortening: String) -> (problem: String, remedy: String) {
            switch self {
            case .cannotOpen(let error):
                ("The file cannot be opened: \(error).", "Check the path, and that the program may read the file.")
            case .notRegular: ("The path is not a regular file.", "Give the path of a regular file.")
            case .cannotRead(let error): ("The file cannot be read: \(error).", "Check the disk, and retry.")
            case .tooLong: ("The file has more than \(limit) bytes.", shortening)
            }
        }
    }

    /// Returns the bytes of a regular file.
    ///
    /// Blocks the calling thread.
    ///
    /// - Parameter limit: The largest accepted number of bytes.
    package static func bytes(at path: String, limit: Int) throws(Failure) -> [UInt8] {
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path)
        } catch {
            throw .cannotOpen(error)
        }
        guard file.isRegular else { throw .notRegular }
        let bytes: [UInt8]
        do throws(SystemError) {
            // One additional byte shows that a file is too long, even if it has grown since it was opened.
            bytes = try file.bytes(atMost: limit + 1)
        } catch {
            throw .cannotRead(error)
        }
        guard bytes.count <= limit else { throw .tooLong }
        return bytes
    }
}
