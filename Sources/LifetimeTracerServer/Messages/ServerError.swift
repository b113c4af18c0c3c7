public import LifetimeTracer

/// An error of the server, with the offending value and a remedy.
public struct ServerError: DescribedError, Equatable {
    /// The kind of an error; later versions may add kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text is not an address.
        public static let invalidAddress = Self(rawValue: "invalidAddress")
        /// Another process or server listens at the address.
        public static let addressInUse = Self(rawValue: "addressInUse")
        /// The system refused the address for another reason.
        public static let cannotListen = Self(rawValue: "cannotListen")
        /// The file at the path of a Unix socket is not a socket.
        public static let notASocket = Self(rawValue: "notASocket")
        /// Other machines could connect, and there is no access token to keep them out.
        public static let accessTokenRequired = Self(rawValue: "accessTokenRequired")
        /// The access token is invalid or cannot be read.
        public static let invalidAccessToken = Self(rawValue: "invalidAccessToken")
        /// An allowed host is neither a host name nor an IP address, so no request could name it.
        public static let invalidHost = Self(rawValue: "invalidHost")
        /// The known leaks file is invalid or cannot be read.
        public static let invalidKnownLeaks = Self(rawValue: "invalidKnownLeaks")
        /// The rules file is invalid or cannot be read.
        public static let invalidRules = Self(rawValue: "invalidRules")
        /// A limit is out of range.
        public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
        /// The server is running, or another thread is starting or stopping it.
        public static let alreadyRunning = Self(rawValue: "alreadyRunning")
        /// The system has no threads or memory left for the server.
        public static let outOfResources = Self(rawValue: "outOfResources")
    }

    /// The kind of error.
    public let code: Code
    /// The description of the failure, with the offending value.
    public let message: String
    /// The remedy.
    public let hint: String
    /// The system's error number, if a system call failed.
    public let errno: Int32?

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String, errno: Int32? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.errno = errno
    }
}
