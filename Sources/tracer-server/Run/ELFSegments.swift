import TracerBase

/// The segments of a 64-bit file, which the loader maps.
struct ELFSegments {
    /// A note: a description with the name of its owner.
    struct Note {
        let name: String
        let kind: UInt32
        let description: [UInt8]
    }

    private struct Segment {
        let kind: UInt32
        let offset: UInt64
        let address: UInt64
        let size: UInt64
        let alignment: UInt64
    }

    private enum Kind {
        static let load: UInt32 = 1
        static let dynamic: UInt32 = 2
        static let interpreter: UInt32 = 3
        static let note: UInt32 = 4
    }

    /// The largest part that is read; the tables of real files are far smaller.
    private static let limit: UInt64 = 64 << 20
    private let segments: [Segment]

    init(_ file: borrowing OpenFile, _ header: ELFBytes) throws(ELFFile.Failure) {
        let table: UInt64 = try header.number(at: 32)
        let size: UInt16 = try header.number(at: 54)
        let count: UInt16 = try header.number(at: 56)
        guard count == 0 || size == 56 else { throw .damaged }
        let bytes = ELFBytes(try ELFFile.bytes(of: file, at: table, count: Int(count) * 56))
        var segments: [Segment] = []
        for index in 0..<Int(count) {
            let start = index * 56
            segments.append(
                Segment(
                    kind: try bytes.number(at: start), offset: try bytes.number(at: start + 8),
                    address: try bytes.number(at: start + 16), size: try bytes.number(at: start + 32),
                    alignment: try bytes.number(at: start + 48)))
        }
        self.segments = segments
    }

    /// Returns the path of the program's loader.
    func interpreter(in file: borrowing OpenFile) throws(ELFFile.Failure) -> String? {
        guard let segment = segments.first(where: { $0.kind == Kind.interpreter }) else { return nil }
        return try contents(of: segment, in: file).text(at: 0)
    }

    /// Returns the names of the libraries that the file needs.
    func libraries(in file: borrowing OpenFile) throws(ELFFile.Failure) -> [String] {
        guard let segment = segments.first(where: { $0.kind == Kind.dynamic }) else { return [] }
        let entries = try contents(of: segment, in: file)
        var names: [Int] = []
        var (address, size): (UInt64, UInt64) = (0, 0)
        for offset in stride(from: 0, to: entries.count - 15, by: 16) {
            let tag: UInt64 = try entries.number(at: offset)
            let value: UInt64 = try entries.number(at: offset + 8)
            switch tag {
            case 1: names.append(Int(clamping: value))
            case 5: address = value
            case 10: size = value
            default: break
            }
        }
        guard !names.isEmpty else { return [] }
        guard
            let holder = segments.first(where: { $0.kind == Kind.load && address &- $0.address < $0.size }),
            size <= Self.limit
        else { throw .damaged }
        let texts = ELFBytes(
            try ELFFile.bytes(of: file, at: holder.offset &+ (address - holder.address), count: Int(size)))
        var libraries: [String] = []
        for name in names { libraries.append(try texts.text(at: name)) }
        return libraries
    }

    /// Returns all notes.
    func notes(in file: borrowing OpenFile) throws(ELFFile.Failure) -> [Note] {
        var notes: [Note] = []
        for segment in segments where segment.kind == Kind.note {
            let bytes = try contents(of: segment, in: file)
            let alignment = segment.alignment == 8 ? 8 : 4
            func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }
            var offset = 0
            while offset <= bytes.count - 12 {
                let nameSize: UInt32 = try bytes.number(at: offset)
                let descriptionSize: UInt32 = try bytes.number(at: offset + 4)
                let kind: UInt32 = try bytes.number(at: offset + 8)
                let nameEnd = offset + 12 + Int(nameSize)
                let description = aligned(nameEnd)
                let end = description + Int(descriptionSize)
                guard end <= bytes.count else { throw .damaged }
                let name = bytes[offset + 12..<nameEnd].prefix { $0 != 0 }
                notes.append(
                    Note(
                        name: String(decoding: name, as: UTF8.self), kind: kind,
                        description: bytes[description..<end]))
                offset = aligned(end)
            }
        }
        return notes
    }

    private func contents(of segment: Segment, in file: borrowing OpenFile) throws(ELFFile.Failure) -> ELFBytes {
        guard segment.size <= Self.limit else { throw .damaged }
        return ELFBytes(try ELFFile.bytes(of: file, at: segment.offset, count: Int(segment.size)))
    }
}
