/// The clients that the dashboard answers.
public struct GatePolicy: Sendable {
    /// Host names, besides `127.0.0.1`, `localhost` and `[::1]`, under which clients may reach the dashboard, with any
    /// port.
    ///
    /// Requests with any other `Host` are refused. This prevents DNS rebinding: a foreign page whose name resolves to
    /// this machine is refused, because its name is not in the list.
    public var allowedHosts: [String]
    /// The access token that a request must show, as `Authorization: Bearer …` or by the cookie that `/?token=…`
    /// sets; `nil` if none is required.
    ///
    /// An empty access token admits no client. Use a long random one: `TracerServer` requires 16 characters.
    public var accessToken: String?

    /// Creates a policy; by default the dashboard answers under loopback names and requires no access token.
    public init(allowedHosts: [String] = [], accessToken: String? = nil) {
        self.allowedHosts = allowedHosts
        self.accessToken = accessToken
    }
}
