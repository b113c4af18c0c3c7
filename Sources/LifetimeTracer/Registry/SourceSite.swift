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

    /// Whether both name the same line of the same file.
    public static func == (left: Self, right: Self) -> Bool {
        left.line == right.line && left.file.description == right.file.description
    }

    /// Hashes file and line.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(file.description)
    }

    /// The place as `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }

    /// The site, unless the compiler gave none: for a call of `super.init` that it inserts itself it gives an empty file.
    var ifKnown: SourceSite? {
        file.utf8CodeUnitCount == 0 ? nil : self
    }
}
