import TracerBase

/// A loaded object's file, of which parts are copied, each checked against the file's size.
struct ReadOnlyFile: ~Copyable {
    /// The size from which the available memory is checked before a part is read.
    private static let largePart: UInt64 = 64 << 10

    private let file: OpenFile
    let path: String
    /// The file's size when it was opened.
    var size: UInt64 { file.size }

    /// Opens a regular file.
    init(path: String) throws(UnusableSymbols) {
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path)
        } catch {
            throw UnusableSymbols(cannotOpen: path, error)
        }
        guard file.isRegular else {
            throw UnusableSymbols("'\(path)' is not a regular file.", hint: "Restore the loaded object at that path.")
        }
        self.file = file
        self.path = path
    }

    /// Copies a part of the file, either all of it or nothing.
    ///
    /// - Parameter what: The name of the part, for the error.
    func bytes(at offset: UInt64, count: UInt64, of what: String) throws(UnusableSymbols) -> [UInt8] {
        guard offset <= size, count <= size - offset else {
            throw UnusableSymbols(
                "'\(path)': \(what) (\(count) bytes at \(offset)) extends past the end of the file (\(size) bytes).",
                hint: "The file is damaged; rebuild or reinstall it.")
        }
        // A small part needs no check, because the program makes such allocations all the time.
        guard count < Self.largePart || ProcessLimits.hasRoom(for: Int(count) * 2) else {
            throw UnusableSymbols(outOfMemoryFor: "\(what) of '\(path)' (\(count) bytes)")
        }
        let bytes = (try? file.bytes(atMost: Int(count), at: offset)) ?? []
        guard bytes.count == Int(count) else {
            throw UnusableSymbols(
                "'\(path)': \(what) (\(count) bytes at \(offset)) cannot be read.",
                hint: "The file changed during the read.")
        }
        return bytes
    }
}

/// The reason why the symbols of a file are not used; names then come from `dladdr`, if at all.
struct UnusableSymbols: Error, CustomStringConvertible {
    let description: String
    /// Whether the process lacked a resource, so that the symbols may be usable later.
    let isTemporary: Bool

    init(_ message: String, hint: String) {
        description = "\(message) \(hint)"
        isTemporary = false
    }

    init(cannotOpen path: String, _ error: SystemError) {
        isTemporary = error.isShortage
        let hint = isTemporary ? ProcessLimits.reason(for: error) : "Let the program read the file."
        description = "'\(path)' cannot be opened: \(error). \(hint)"
    }

    init(outOfMemoryFor part: String) {
        isTemporary = true
        description = "Not enough memory for \(part). \(ProcessLimits.memory)"
    }
}
