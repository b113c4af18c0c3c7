/// A place in source code, such as the creation site of an instance or the registration site of an observer.
public struct SourceSite: Sendable, Hashable, CustomStringConvertible {
    /// The file as `Module/File.swift`.
    public let file: StaticString
    /// The line, from 1.
    public let line: Int

    /// Creates a site.
    public init(file: StaticString, line: Int) {
        self.file = file
        self.line = line
    }

    /// Whether both sites are the same line of the same file.
    public static func == (left: Self, right: Self) -> Bool {
        left.line == right.line && left.file.description == right.file.description
    }

    /// Hashes the file and the line.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(file.description)
    }

    /// The site as `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }

    /// The site with the highest count; of equal ones, the first by its description.
    static func mostFrequent(_ counts: [SourceSite: Int]) -> SourceSite? {
        counts.max { ($0.value, $1.key.description) < ($1.value, $0.key.description) }?.key
    }

    /// The site, or `nil` if unknown: for a call of `super.init` that the compiler inserts, the file is empty.
    var ifKnown: SourceSite? {
        file.utf8CodeUnitCount == 0 ? nil : self
    }
}
