import Testing

@testable import tracer_server

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8089/", ServerAddress.tcp(host: "127.0.0.1", port: 8089)),
        ("http://127.0.0.1:8089", .tcp(host: "127.0.0.1", port: 8089)),
        ("HTTP://Box.example:1/", .tcp(host: "Box.example", port: 1)),
        ("http://box/", .tcp(host: "box", port: 80)), ("http://[::1]", .tcp(host: "::1", port: 80)),
        ("127.0.0.1:8089", .tcp(host: "127.0.0.1", port: 8089)),
        ("localhost:65535", .tcp(host: "localhost", port: 65535)),
        ("my_box.example:80", .tcp(host: "my_box.example", port: 80)),
        ("[::1]:8089", .tcp(host: "::1", port: 8089)), ("[fe80::1%eth0]:1", .tcp(host: "fe80::1%eth0", port: 1)),
        (":8089", .tcp(host: "127.0.0.1", port: 8089)), ("8089", .tcp(host: "127.0.0.1", port: 8089)),
        ("unix:/run/x.sock", .unix(path: "/run/x.sock")), ("unix:x.sock", .unix(path: "x.sock")),
        ("unix:///run/x.sock", .unix(path: "/run/x.sock")), ("unix:/a b?c#d", .unix(path: "/a b?c#d")),
    ]) func validAddressIsParsed(_ text: String, _ address: ServerAddress) throws {
        #expect(try ServerAddress(text, of: CheckCommand.syntax) == address)
    }

    @Test(arguments: [
        ("", "\"\" is not a server address"), ("box", "the port is missing"), ("box:", "\"\" is not a port"),
        ("box:0", "\"0\" is not a port from 1 to 65535"), ("box:65536", "\"65536\" is not a port"),
        ("box:+80", "\"+80\" is not a port"), ("70000", "\"70000\" is not a port"),
        ("::1:8089", "needs brackets: [::1]"),
        ("[::1:8089", "the closing bracket is missing"), ("[::1]", "the port is missing"),
        ("[::1]8089", "is not a server address"),
        ("[box]:1", "the brackets contain no IPv6 address"), ("bo x:1", "is not a server address"),
        ("bö:1", "is not a server address"),
        ("a\u{1B}[2J:1", "control character"), ("http://", "is not a server address"),
        ("http://:1/", "is not a server address"),
        ("https://box/", "https is not supported"), ("ftp://box/", "is not a server address"),
        ("http://box/api/v1", "remove the path /api/v1"), ("http://box/?", "a server address cannot contain a query"),
        ("http://box/?token=secret", "set the access token with LIFETIME_TRACER_TOKEN"),
        ("http://me:secret@box/", "cannot contain a user or a password"), ("unix:", "the path is empty"),
        ("unix://", "with three slashes"), ("unix://run/x", "with three slashes"), ("unix:/a\nb", "control character"),
    ]) func invalidAddressIsReported(_ text: String, _ part: String) {
        let error = #expect(throws: UsageError.self) { try ServerAddress(text, of: CheckCommand.syntax) }
        let said = error?.description ?? ""
        #expect(said.contains(part), "\(said)")
        #expect(said.contains("expected http://HOST:PORT/, HOST:PORT or unix:PATH"), "\(said)")
        #expect(!said.contains("secret"))
    }

    @Test func addressDescriptionParsesBackToTheAddress() throws {
        for text in ["http://box:1/", "[::1]:8089", "[fe80::1%eth0]:1", "8089", "unix:/run/x", "unix:x"] {
            let address = try ServerAddress(text, of: CheckCommand.syntax)
            #expect(try ServerAddress(address.description, of: CheckCommand.syntax) == address)
        }
    }

    @Test func theHostFieldHasThePortAndNoZone() {
        #expect(ServerAddress.tcp(host: "box", port: 80).hostField == "box:80")
        #expect(ServerAddress.tcp(host: "fe80::1%eth0", port: 1).hostField == "[fe80::1]:1")
        #expect(ServerAddress.unix(path: "/x").hostField == "localhost")
    }
}
