import TracerBase

/// The facts about a file of machine code that decide whether the agent can be loaded with it.
///
/// Only the header, the tables and the notes are read, none of the code.
struct ELFFile: Sendable, Equatable {
    /// The reason why a file is not read as machine code.
    enum Failure: Error, Equatable {
        case cannotRead(SystemError)
        case notRegular
        /// A script, with the rest of its first line after `#!`.
        case script(interpreter: String)
        case notELF
        /// The file ends early, or its tables contradict each other.
        case damaged
    }

    /// The machine for which a file was built.
    struct Machine: Sendable, Hashable, CustomStringConvertible {
        /// 32 or 64.
        let bits: Int
        let isLittleEndian: Bool
        /// The number of the architecture in the file's header.
        let number: UInt16

        var description: String {
            let name = Self.names[number] ?? "machine number \(number)"
            return "\(name), \(bits) bits\(isLittleEndian ? "" : ", big-endian")"
        }

        private static let names: [UInt16: String] = [
            3: "x86", 8: "MIPS", 20: "PowerPC", 21: "PowerPC", 22: "s390x", 40: "ARM", 62: "x86-64", 183: "arm64",
            243: "RISC-V",
        ]
    }

    let machine: Machine
    /// Whether the file is an executable or a shared object; both can be programs.
    let isLinked: Bool
    /// The program's loader; `nil` for a statically linked program and for most libraries.
    let interpreter: String?
    /// The names of the libraries that the file needs.
    let libraries: [String]
    /// The identity of the build, as the linker recorded it.
    let buildID: [UInt8]?
    /// The version of LifetimeTracer in the file; `nil` if the file does not contain LifetimeTracer.
    let tracerVersion: String?
    /// What the file says about the code that `tracer-server run` and the agent share.
    let runInterface: RunInterface?
    /// Whether the file contains Swift's own tables of types.
    let containsSwift: Bool

    /// Reads a file.
    ///
    /// - Parameter expected: The machine of the files to read; of a file for another machine, only the machine is read.
    init(_ path: String, for expected: Machine? = nil) throws(Failure) {
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path)
        } catch {
            throw .cannotRead(error)
        }
        guard file.isRegular else { throw .notRegular }
        let start = try Self.bytes(of: file, at: 0, count: Int(min(file.size, 256)))
        if start.starts(with: Array("#!".utf8)) {
            let line = start.dropFirst(2).prefix { $0 != 0x0A }
            throw .script(interpreter: String(decoding: line, as: UTF8.self).trimmed)
        }
        guard start.count >= 20, start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { throw .notELF }
        let isLittleEndian = start[5] != 2
        let number = UInt16(start[isLittleEndian ? 18 : 19]) | UInt16(start[isLittleEndian ? 19 : 18]) << 8
        machine = Machine(bits: start[4] == 1 ? 32 : 64, isLittleEndian: isLittleEndian, number: number)
        guard machine.bits == 64, isLittleEndian, expected == nil || expected == machine else {
            (isLinked, interpreter, libraries, buildID) = (true, nil, [], nil)
            (tracerVersion, runInterface, containsSwift) = (nil, nil, false)
            return
        }
        let header = ELFBytes(start)
        let kind: UInt16 = try header.number(at: 16)
        isLinked = kind == 2 || kind == 3
        let segments = try ELFSegments(file, header)
        interpreter = try segments.interpreter(in: file)
        libraries = try segments.libraries(in: file)
        let notes = try segments.notes(in: file)
        buildID = notes.first { $0.name == "GNU" && $0.kind == 3 }?.description
        tracerVersion = notes.first { $0.name == "LifetimeTracer" }
            .map { String(decoding: $0.description.prefix { $0 != 0 }, as: UTF8.self) }
        runInterface = notes.first { $0.name == RunInterface.noteName }.flatMap { RunInterface($0.description) }
        containsSwift = try Self.hasSwiftSections(file, header)
    }

    /// Returns a part of a file, which must exist completely.
    static func bytes(of file: borrowing OpenFile, at offset: UInt64, count: Int) throws(Failure) -> [UInt8] {
        guard offset <= file.size, UInt64(count) <= file.size - offset else { throw .damaged }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try file.bytes(atMost: count, at: offset)
        } catch {
            throw .cannotRead(error)
        }
        guard bytes.count == count else { throw .damaged }
        return bytes
    }

    /// Whether a section has one of the names that the Swift compiler gives.
    ///
    /// A program may lack the table of sections.
    private static func hasSwiftSections(_ file: borrowing OpenFile, _ header: ELFBytes) throws(Failure) -> Bool {
        let table: UInt64 = try header.number(at: 40)
        let size: UInt16 = try header.number(at: 58)
        let count: UInt16 = try header.number(at: 60)
        let names: UInt16 = try header.number(at: 62)
        guard table != 0, size == 64, names < count else { return false }
        let sections = ELFBytes(try bytes(of: file, at: table, count: Int(count) * 64))
        let offset: UInt64 = try sections.number(at: Int(names) * 64 + 24)
        let length: UInt64 = try sections.number(at: Int(names) * 64 + 32)
        guard length <= 1 << 20 else { throw .damaged }
        let text = try bytes(of: file, at: offset, count: Int(length))
        return text.split(separator: 0).contains { $0.starts(with: Array("swift5_".utf8)) }
    }
}

/// Numbers in the bytes of a file.
struct ELFBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the little-endian number at an offset.
    func number<Number: FixedWidthInteger>(at offset: Int) throws(ELFFile.Failure) -> Number {
        let size = Number.bitWidth / 8
        guard offset >= 0, offset <= bytes.count - size else { throw .damaged }
        return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Returns the text at an offset, up to a zero byte.
    func text(at offset: Int) throws(ELFFile.Failure) -> String {
        guard offset >= 0, offset < bytes.count else { throw .damaged }
        return String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
    }

    var count: Int { bytes.count }

    subscript(range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
}

extension String {
    /// The text without spaces at both ends.
    fileprivate var trimmed: String {
        let words = split(separator: " ", omittingEmptySubsequences: true)
        return words.joined(separator: " ")
    }
}
