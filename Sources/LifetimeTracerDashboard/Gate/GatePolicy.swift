/// Whom the dashboard answers.
public struct GatePolicy: Sendable {
    /// Host names, beyond `127.0.0.1`, `localhost` and `[::1]`, under which the dashboard may be asked for, with any port.
    ///
    /// A page of a stranger whose name has been made to point here is refused because its name is not among these.
    public var allowedHosts: [String]
    /// What a request must show, as a bearer token or as the cookie that `/?token=…` sets; `nil` when it need not.
    ///
    /// An empty token admits nobody.
    public var token: String?

    /// Creates a policy; by default the dashboard answers under loopback names and asks for no token.
    public init(allowedHosts: [String] = [], token: String? = nil) {
        self.allowedHosts = allowedHosts
        self.token = token
    }
}
