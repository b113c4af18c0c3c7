/// The modules of the page as one script, so that a browser sends one request instead of one for each module.
///
/// Each module becomes a function that runs once, after those of the modules that it imports, and returns its exports.
/// The script has the lines of the modules, and understands only the forms that the files of `Web/` use, each at the
/// beginning of a line: `import {a, b as c} from './x.js';`, `import * as x from './x.js';`, and `export` before a
/// function, a class or a constant. Imports must not form a circle.
struct ModuleBundle {
    /// The script.
    private(set) var text = ""
    private let modules: [String: String]
    private var joined: Set<String> = []

    /// Joins the module of this file name and all modules that it imports, directly or indirectly.
    init(of entry: String, from modules: [String: String]) {
        self.modules = modules
        join(entry)
    }

    private mutating func join(_ name: String) {
        guard joined.insert(name).inserted, let source = modules[name] else { return }
        var body = ""
        var exports: [Substring] = []
        for line in source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Substring(line)
            if let imported = ModuleImport(line) {
                join(imported.module)
                body += imported.declaration
            } else if let exported = Self.exportedName(of: line) {
                exports.append(exported)
                body.append(contentsOf: line.dropFirst(Self.export.count))
            } else {
                body.append(contentsOf: line)
            }
            body += "\n"
        }
        text += "// \(name)\nconst \(Self.variable(for: name)) = (() => {\n\(body)"
        text += "return {\(exports.joined(separator: ", "))};\n})();\n"
    }

    /// The variable with the exports of a module: `heap_view_js` for `heap-view.js`.
    fileprivate static func variable(for name: some StringProtocol) -> String {
        String(name.map { $0 == "-" || $0 == "." ? "_" : $0 })
    }

    private static let export = "export "
    private static let declarations = ["async function ", "function ", "class ", "const "]

    private static func exportedName(of line: Substring) -> Substring? {
        guard line.hasPrefix(export) else { return nil }
        let declaration = line.dropFirst(export.count)
        guard let keyword = declarations.first(where: declaration.hasPrefix) else { return nil }
        return declaration.dropFirst(keyword.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    }
}

/// An import of another module.
private struct ModuleImport {
    /// The file name of the imported module.
    let module: String
    /// What stands for the import in the script.
    let declaration: String

    private static let start = "import "
    private static let source = " from './"
    private static let end = "';"

    /// Returns `nil` if the line contains something else.
    init?(_ line: Substring) {
        guard line.hasPrefix(Self.start), line.hasSuffix(Self.end) else { return nil }
        let parts = line.dropFirst(Self.start.count).dropLast(Self.end.count).split(
            separator: Self.source, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        module = String(parts[1])
        let exports = ModuleBundle.variable(for: module)
        declaration =
            parts[0].hasPrefix("* as ")
            ? "const \(parts[0].dropFirst("* as ".count)) = \(exports);"
            : "const \(parts[0].replacing(" as ", with: ": ")) = \(exports);"
    }
}
