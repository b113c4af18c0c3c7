import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file with Swift's runtime.
struct SwiftRuntime: Sendable, Equatable {
    static let fileName = "libswiftCore.so"

    let path: String
    /// The identity of the build; two files with the same identity have the same contents.
    let buildID: [UInt8]?

    init(path: String) throws(ELFFile.Failure) {
        self.path = path
        buildID = try ELFFile(path).buildID
    }

    /// The runtime of this process, which is the one that the agent was built with; `nil` if it is linked statically.
    static func ofThisProcess() -> SwiftRuntime? {
        guard let map = try? OpenFile("/proc/self/maps").bytes(atMost: 1 << 20) else { return nil }
        let lines = String(decoding: map, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasSuffix("/\(fileName)") }), let slash = line.firstIndex(of: "/")
        else { return nil }
        return try? SwiftRuntime(path: String(line[slash...]))
    }

    /// Reads the version of the standard library, as major and minor number, for example `6.3`; `nil` if unknown.
    ///
    /// It is the latest of the versions that the file names. Reads the whole file, which takes about 10 ms, so this is
    /// not done for files of the same build.
    func readVersion() -> String? {
        guard let file = try? OpenFile(path), file.size <= 256 << 20,
            let bytes = try? file.bytes(atMost: Int(file.size))
        else { return nil }
        let mark = Array("SwiftStdlibVersionasE".utf8)
        var latest: (major: Int, minor: Int)?
        // The standard library exports the names of its versions: `v6_3_0`.
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            var offset = 0
            // Safe: both calls stay inside the buffer, whose rest is at least as long as the mark.
            while bytes.count - offset >= mark.count,
                let found = memchr(start + offset, CInt(mark[0]), bytes.count - offset - mark.count + 1)
            {
                offset = UnsafeRawPointer(found) - start
                guard memcmp(start + offset, mark, mark.count) == 0 else {
                    offset += 1
                    continue
                }
                offset += mark.count
                let name = bytes[offset...].prefix(24).prefix { $0 == 0x76 || $0 == 0x5F || (0x30...0x39).contains($0) }
                guard let v = name.firstIndex(of: 0x76) else { continue }
                let numbers = name[name.index(after: v)...].split(separator: 0x5F)
                    .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
                guard numbers.count == 3 else { continue }
                let version = (major: numbers[0], minor: numbers[1])
                if latest.map({ $0 < version }) ?? true { latest = version }
            }
        }
        return latest.map { "\($0.major).\($0.minor)" }
    }
}
