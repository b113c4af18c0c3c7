/// Whom the dashboard answers.
public struct GatePolicy: Sendable {
    /// Host names, beyond `127.0.0.1`, `localhost` and `[::1]`, under which the dashboard may be asked for, with any port.
    ///
    /// A page of a stranger whose name has been made to point here is refused because its name is not among these.
    public var allowedHosts: [String]
    /// The access token: what a request must show, as `Authorization: Bearer …` or by the cookie that `/?token=…` sets; `nil`
    /// when it need not.
    ///
    /// An empty one admits nobody. Make it long and random: `TracerServer` insists on 16 characters.
    public var accessToken: String?

    /// Creates a policy; by default the dashboard answers under loopback names and asks for no access token.
    public init(allowedHosts: [String] = [], accessToken: String? = nil) {
        self.allowedHosts = allowedHosts
        self.accessToken = accessToken
    }
}
