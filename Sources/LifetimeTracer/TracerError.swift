/// An error of the tracer, with the offending value and a remedy.
public struct TracerError: DescribedError, Equatable {
    /// The kind of an error; later versions may add kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name under which the error appears in JSON.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A delay that is negative or longer than a year.
        public static let invalidDelay = Self(rawValue: "invalidDelay")
        /// The instance has died.
        public static let instanceDied = Self(rawValue: "instanceDied")
        /// No instance of the registry has ever had the id.
        public static let unknownInstance = Self(rawValue: "unknownInstance")
        /// The instance is not listed, because more instances are live than the registry lists.
        public static let instanceNotListed = Self(rawValue: "instanceNotListed")
        /// The object was created while tracing was off, or a rule leaves its type out.
        public static let notTraced = Self(rawValue: "notTraced")
        /// A mark with the same name exists.
        public static let duplicateMark = Self(rawValue: "duplicateMark")
        /// No mark has the name.
        public static let unknownMark = Self(rawValue: "unknownMark")
        /// The name is not valid for a mark.
        public static let invalidMarkName = Self(rawValue: "invalidMarkName")
        /// The registry holds as many marks as ``RegistryConfiguration/markLimit`` allows.
        public static let markTableFull = Self(rawValue: "markTableFull")
        /// The registry holds as many deadlines as ``RegistryConfiguration/deadlineLimit`` allows.
        public static let deadlineTableFull = Self(rawValue: "deadlineTableFull")
        /// A budget, threshold or count is out of range.
        public static let invalidCount = Self(rawValue: "invalidCount")
    }

    /// The kind of error.
    public let code: Code
    /// The description of the failure, with the offending value.
    public let message: String
    /// The remedy.
    public let hint: String

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

/// The range of delays that the tracer accepts.
enum Delay {
    /// The longest delay; a longer one is most likely a mistake in units.
    static let longest = Duration.seconds(365 * 24 * 3600)

    /// Returns the delay if it is in range, and throws otherwise.
    static func validated(_ delay: Duration) throws(TracerError) -> Duration {
        guard delay >= .zero, delay <= longest else {
            throw TracerError(
                .invalidDelay, "The delay \(delay) is out of range.",
                hint: "Use 0 seconds to 365 days; to expect no deallocation, set no deadline.")
        }
        return delay
    }
}
