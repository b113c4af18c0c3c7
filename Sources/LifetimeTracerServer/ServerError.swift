/// What the server could not do, with the value that was wrong and what to do instead.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of an error; new ones may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A text that is no address.
        public static let invalidAddress = Self(rawValue: "invalidAddress")
        /// Somebody listens there already.
        public static let addressInUse = Self(rawValue: "addressInUse")
        /// The system refused the address for another reason.
        public static let cannotListen = Self(rawValue: "cannotListen")
        /// The file at the path of a Unix socket is not a socket.
        public static let notASocket = Self(rawValue: "notASocket")
        /// Others than this machine could connect, and there is no access token to keep them out.
        public static let accessTokenRequired = Self(rawValue: "accessTokenRequired")
        /// An access token that cannot be used, or cannot be read.
        public static let invalidAccessToken = Self(rawValue: "invalidAccessToken")
        /// An allowed host that no request could name.
        public static let invalidHost = Self(rawValue: "invalidHost")
        /// A file of known leaks that cannot be read or is not as it should be.
        public static let invalidKnownLeaks = Self(rawValue: "invalidKnownLeaks")
        /// A limit that makes no sense.
        public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
        /// The server runs, or is being started or stopped by another thread.
        public static let alreadyRunning = Self(rawValue: "alreadyRunning")
        /// Threads or memory are not to be had.
        public static let outOfResources = Self(rawValue: "outOfResources")
    }

    /// The kind of error.
    public let code: Code
    /// What failed, with the value.
    public let message: String
    /// What to do.
    public let hint: String
    /// What the system said, where it was the system that refused.
    public let errno: Int32?

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String, errno: Int32? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.errno = errno
    }

    /// The message and the hint in one line.
    public var description: String { "\(message); \(hint)" }
}
