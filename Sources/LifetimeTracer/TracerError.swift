/// What the tracer could not do, with the value that was wrong and what to do instead.
public struct TracerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of an error; new ones may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name under which the error appears in JSON.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A delay that is negative or longer than a year.
        public static let invalidDelay = Self(rawValue: "invalidDelay")
        /// An instance that has already gone.
        public static let instanceDied = Self(rawValue: "instanceDied")
        /// An id that no instance has ever had here.
        public static let unknownInstance = Self(rawValue: "unknownInstance")
        /// An instance past the number that a registry lists.
        public static let instanceNotListed = Self(rawValue: "instanceNotListed")
        /// An object that was made while tracing was off.
        public static let notTraced = Self(rawValue: "notTraced")
        /// A mark of that name exists already.
        public static let duplicateMark = Self(rawValue: "duplicateMark")
        /// There is no mark of that name.
        public static let unknownMark = Self(rawValue: "unknownMark")
        /// A name that cannot be used for a mark.
        public static let invalidMarkName = Self(rawValue: "invalidMarkName")
        /// There are as many marks as the registry keeps.
        public static let markTableFull = Self(rawValue: "markTableFull")
        /// There are as many deadlines as the registry keeps.
        public static let deadlineTableFull = Self(rawValue: "deadlineTableFull")
        /// A budget, threshold or count that makes no sense.
        public static let invalidCount = Self(rawValue: "invalidCount")
    }

    /// The kind of error.
    public let code: Code
    /// What failed, with the value.
    public let message: String
    /// What to do.
    public let hint: String

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Message and hint.
    public var description: String { "\(message) \(hint)" }
}

/// Delays as the tracer accepts them.
enum Delay {
    /// The longest delay; anything longer is a mistake in units.
    static let longest = Duration.seconds(365 * 24 * 3600)

    /// Returns the delay if it makes sense.
    static func validated(_ delay: Duration) throws(TracerError) -> Duration {
        guard delay >= .zero, delay <= longest else {
            throw TracerError(
                .invalidDelay, "The delay \(delay) cannot be used.",
                hint: "Give one from 0 seconds to 365 days; to expect nothing, set no deadline.")
        }
        return delay
    }
}
