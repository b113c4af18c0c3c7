/// A place in source code: where an instance was created or an observer registered.
public struct SourceSite: Sendable, Hashable, CustomStringConvertible {
    /// The file as `Module/File.swift`.
    public let file: StaticString
    /// The line, from 1.
    public let line: UInt32

    /// Creates a place.
    public init(file: StaticString, line: UInt32) {
        self.file = file
        self.line = line
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.line == right.line && left.file.description == right.file.description
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(file.description)
    }

    public var description: String { "\(file):\(line)" }
}
