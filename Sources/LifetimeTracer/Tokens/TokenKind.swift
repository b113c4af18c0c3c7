/// The kind of registration that an observer token stands for; programs may add their own kinds.
public struct TokenKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name shown in JSON and on the page.
    public let rawValue: String

    /// Creates a kind.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name shown in JSON and on the page.
    public var description: String { rawValue }

    /// An observer of a notification centre.
    public static let notification = Self(rawValue: "notification")
    /// A closure in an ``ObserverHub``.
    public static let hub = Self(rawValue: "hub")
    /// A running timer.
    public static let timer = Self(rawValue: "timer")
    /// A request in flight.
    public static let request = Self(rawValue: "request")
    /// A subscription to a stream of values.
    public static let subscription = Self(rawValue: "subscription")
}

extension TokenKind {
    /// Stands for the kinds that first occurred when the table of groups was full.
    static let other = Self(rawValue: "(other kinds)")
}
