import Glibc

/// A new folder for a test, deleted with its contents at the end of the test.
final class TestFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/tracer-server-tests.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw TestClient.Failure(description: "mkdtemp: \(String(cString: strerror(errno)))")
        }
        path = String(cString: made)
    }

    deinit {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                unlink(path + "/" + name)
            }
            closedir(folder)
        }
        rmdir(path)
    }

    func path(_ name: String) -> String { path + "/" + name }

    /// The names of the files in the folder.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }
}
