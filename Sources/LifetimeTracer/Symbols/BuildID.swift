/// The build id assigned by the linker, which matches a loaded object with its file.
struct BuildID: Sendable, Equatable {
    private static let type: UInt32 = 3  // NT_GNU_BUILD_ID, <elf.h>
    private static let owner: [UInt8] = [0x47, 0x4E, 0x55, 0]  // "GNU"

    let bytes: [UInt8]

    /// Finds the build id among the notes of a segment; tolerates malformed notes.
    ///
    /// Safe: each access is checked against the size of `notes`, and the id is copied.
    ///
    /// - Parameter alignment: The segment's alignment: notes in one of 8 are padded to 8 bytes, all others to 4.
    init?(inNotes notes: UnsafeRawBufferPointer, alignment: UInt64) {
        let padding = alignment == 8 ? 8 : 4
        var rest = notes
        while rest.count >= 12 {
            let nameSize = Int(rest.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
            let size = Int(rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            let type = rest.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
            let start = Self.padded(12 + nameSize, to: padding)
            guard start + size <= rest.count else { return nil }
            if type == Self.type, rest[12..<(12 + nameSize)].elementsEqual(Self.owner), size > 0 {
                bytes = [UInt8](rest[start..<(start + size)])
                return
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.padded(start + size, to: padding)))
        }
        return nil
    }

    private static func padded(_ size: Int, to padding: Int) -> Int {
        (size + padding - 1) / padding * padding
    }
}
