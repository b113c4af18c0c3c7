#if os(Linux) && canImport(Glibc)
import Glibc

@_silgen_name("backtrace")
private func backtrace(_ buffer: UnsafeMutablePointer<UInt>, _ size: CInt) -> CInt

/// The return addresses of the calling thread, innermost first.
@inline(never)
func returnAddresses() -> [UInt] {
    [UInt](unsafeUninitializedCapacity: 64) { buffer, count in
        count = buffer.baseAddress.map { Int(backtrace($0, 64)) } ?? 0
    }
}

/// Prevents a tail call before it, so that the caller keeps its frame.
@inline(never) @_optimize(none)
func keepFrame() {}

/// A folder for one test, deleted at its end.
final class ScratchFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/lifetime-tracer-symbols-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure(what: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        _ = try? run(["rm", "-r", path])
    }

    /// Writes a file that replaces an existing one.
    ///
    /// Processes that have the old file open or mapped keep its contents.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = "\(path)/\(name)"
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw SystemFailure(what: "open \(file)", code: errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemFailure(what: "write \(file)", code: errno)
        }
        return file
    }

    /// Builds a shared library from C source.
    func library(_ source: String, named name: String, options: [String] = []) throws -> String {
        let code = try write(Array(source.utf8), to: name + ".c")
        let library = "\(path)/\(name)"
        unlink(library)
        try run([clang ?? "clang", "-shared", "-fPIC", "-O1", "-nostdlib", "-o", library, code] + options)
        return library
    }
}

struct SystemFailure: Error {
    let what: String
    let code: CInt
}

/// A C compiler, if the search path contains one.
let clang: String? = ["clang", "cc", "gcc"].first { (try? run([$0, "--version"])) != nil }

/// Runs a program to its end and discards its output.
func run(_ words: [String]) throws {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    guard failure == 0 else { throw SystemFailure(what: words[0], code: failure) }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 {
        guard errno == EINTR else { throw SystemFailure(what: "waitpid", code: errno) }
    }
    guard status == 0 else { throw SystemFailure(what: words.joined(separator: " "), code: status) }
}

/// An ELF file with some symbols.
///
/// Tests can corrupt each part of it.
struct ElfImage {
    static let headerSize = 64
    static let sectionSize = 64
    static let symbolSize = 24
    static let symbolStart = headerSize

    /// The name, address, size and kind (`st_info`) of each symbol.
    var symbols: [(name: String, start: UInt64, size: UInt64, kind: UInt8)]
    /// SHT_SYMTAB is 2, SHT_DYNSYM 11.
    var tableType: UInt32 = 2

    var bytes: [UInt8] {
        var names: [UInt8] = [0]
        var table: [UInt8] = Array(repeating: 0, count: Self.symbolSize)
        for symbol in symbols {
            table += little(UInt32(names.count)) + [symbol.kind, 0] + little(UInt16(1))
            table += little(symbol.start) + little(symbol.size)
            names += Array(symbol.name.utf8) + [0]
        }
        let nameStart = Self.symbolStart + table.count
        let sectionStart = nameStart + names.count
        var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + Array(repeating: 0, count: 8)
        file += little(UInt16(3)) + little(UInt16(62)) + little(UInt32(1)) + little(UInt64(0)) + little(UInt64(0))
        file += little(UInt64(sectionStart)) + little(UInt32(0)) + little(UInt16(64)) + little(UInt16(56))
        file += little(UInt16(0)) + little(UInt16(64)) + little(UInt16(4)) + little(UInt16(0))
        file += table + names
        file += Array(repeating: 0, count: Self.sectionSize)
        // The text section, from 0x1000 to 0x3000.
        file += section(type: 1, address: 0x1000, offset: 0, size: 0x2000, link: 0, entry: 0)
        file += section(
            type: tableType, address: 0, offset: UInt64(Self.symbolStart), size: UInt64(table.count), link: 3,
            entry: UInt64(Self.symbolSize))
        file += section(type: 3, address: 0, offset: UInt64(nameStart), size: UInt64(names.count), link: 0, entry: 0)
        return file
    }

    private func section(
        type: UInt32, address: UInt64, offset: UInt64, size: UInt64, link: UInt32, entry: UInt64
    ) -> [UInt8] {
        little(UInt32(0)) + little(type) + little(UInt64(0)) + little(address) + little(offset) + little(size)
            + little(link) + little(UInt32(0)) + little(UInt64(1)) + little(entry)
    }

    private func little(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
#endif
