import CTracerSystem
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file of the program to start.
enum ProgramPath {
    /// Finds a program as a shell does: a name without a slash in the folders of `PATH`.
    static func find(_ program: String, in path: String?) throws(RunRefusal) -> String {
        if program.isEmpty { throw RunRefusal("the name of the program is empty") }
        if program.contains("/") {
            try check(program)
            return program
        }
        let folders = (path ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
        var refusal = RunRefusal("no program \"\(program)\" in the folders of PATH; write ./\(program) for this folder")
        for folder in folders {
            let candidate = folder.isEmpty ? "./\(program)" : "\(folder)/\(program)"
            do throws(RunRefusal) {
                try check(candidate)
                return candidate
            } catch  where access(candidate, F_OK) == 0 {
                refusal = error
            } catch {
                continue
            }
        }
        throw refusal
    }

    /// Checks that a file exists, can be executed, and gives no rights to its caller.
    private static func check(_ path: String) throws(RunRefusal) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let error = SystemError.last
            // The command line is read as UTF-8, so bytes that are not have been replaced.
            let remedy =
                path.contains("\u{FFFD}") ? "; a path with bytes that are not UTF-8 needs a link with another name" : ""
            throw RunRefusal("\"\(path)\" cannot be started: \(error)\(remedy)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw RunRefusal("\"\(path)\" is not a file") }
        guard access(path, X_OK) == 0 else { throw RunRefusal("\"\(path)\" cannot be started: \(SystemError.last)") }
        let rights = [(S_ISUID, "setuid"), (S_ISGID, "setgid")].filter { status.st_mode & $0.0 != 0 }.map(\.1)
        guard rights.isEmpty, !lt_has_capabilities(path) else {
            let kind = rights.first ?? "file capabilities"
            throw RunRefusal(
                "\"\(path)\" runs with more rights than its caller (\(kind)), so the loader ignores the agent; run a "
                    + "copy without these rights")
        }
    }
}
