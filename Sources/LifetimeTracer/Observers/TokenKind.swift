/// What sort of registration an observer token stands for; programs may add their own.
public struct TokenKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name that JSON and the page show.
    public let rawValue: String

    /// Creates a kind.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name that JSON and the page show.
    public var description: String { rawValue }

    /// An observer in a notification centre.
    public static let notification = Self(rawValue: "notification")
    /// A closure in an ``ObserverHub``.
    public static let hub = Self(rawValue: "hub")
    /// A timer that is running.
    public static let timer = Self(rawValue: "timer")
    /// A request in flight.
    public static let request = Self(rawValue: "request")
    /// A subscription to a stream of values.
    public static let subscription = Self(rawValue: "subscription")
}

extension TokenKind {
    /// Stands for the kinds that came when the table of groups was full.
    static let other = Self(rawValue: "(other kinds)")
}
