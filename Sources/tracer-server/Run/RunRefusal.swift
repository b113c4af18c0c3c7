import TracerBase

/// The reason why a program is not started, with the remedy.
///
/// Nothing has been started then.
struct RunRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The reason why a program's file is no machine code that the agent can join.
    init(_ program: String, _ failure: ELFFile.Failure) {
        switch failure {
        case .cannotRead(let error): self.init("\"\(program)\" cannot be read: \(error)")
        case .notRegular: self.init("\"\(program)\" is not a file")
        case .script(let interpreter):
            self.init(
                "\"\(program)\" is a script for \(interpreter.isEmpty ? "a shell" : interpreter.printablePrefix); name "
                    + "the program that the script starts, or start the interpreter with --follow")
        case .notELF: self.init("\"\(program)\" is not an executable of this system (ELF)")
        case .damaged: self.init("\"\(program)\" is damaged: its tables contradict the size of the file")
        }
    }
}
