import CTracerSystem

/// What a copy of the code that `tracer-server run` and the agent share says about itself.
struct RunInterface: Sendable, Equatable {
    /// The name of the note in files of machine code.
    static let noteName = "LifetimeTracerRun"

    /// The compiler with which the copy was built.
    let toolchain: String
    /// The variables that the copy knows.
    let variables: Set<String>
    /// The facts about the shared memory.
    private let memory: [UInt8]

    /// The interface of this program.
    static var own: RunInterface? {
        // Safe: the description of the note is constant data of this program, of the size of its type.
        withUnsafeBytes(of: lt_own_run_interface().pointee) { RunInterface(Array($0)) }
    }

    /// Reads the description of a note; `nil` if it has another size.
    init?(_ description: [UInt8]) {
        let texts = MemoryLayout<lt_run_interface>.offset(of: \.toolchain) ?? 0
        guard description.count == MemoryLayout<lt_run_interface>.size else { return nil }
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        memory = Array(description[..<texts])
        toolchain = text(description[texts..<texts + Int(LT_TOOLCHAIN_SIZE)])
        variables = Set(text(description[(texts + Int(LT_TOOLCHAIN_SIZE))...]).split(separator: " ").map(String.init))
    }

    /// Says in what another interface differs.
    func difference(from other: RunInterface) -> String {
        let names = variables.symmetricDifference(other.variables).sorted()
        return names.isEmpty ? "the memory that they share" : names.joined(separator: ", ")
    }
}
