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
