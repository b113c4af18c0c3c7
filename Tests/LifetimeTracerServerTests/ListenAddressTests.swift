import Testing
import TracerBase

@testable import LifetimeTracerServer

extension ServerTests {
    @Suite struct ListenAddressTests {
        @Test(arguments: [
            ("8089", ListenAddress.tcp(host: "127.0.0.1", port: 8089)),
            (":8089", .tcp(host: "127.0.0.1", port: 8089)),
            ("0", .tcp(host: "127.0.0.1", port: 0)),
            (":0", .tcp(host: "127.0.0.1", port: 0)),
            ("127.0.0.1:65535", .tcp(host: "127.0.0.1", port: 65535)),
            ("localhost:80", .tcp(host: "localhost", port: 80)),
            ("0.0.0.0:1", .tcp(host: "0.0.0.0", port: 1)),
            ("[::1]:8089", .tcp(host: "::1", port: 8089)),
            ("unix:/run/tracer.sock", .unix(path: "/run/tracer.sock")),
            ("unix:relative", .unix(path: "relative")),
        ])
        func validAddressIsParsed(text: String, address: ListenAddress) throws {
            #expect(try ListenAddress(text) == address)
            #expect(try ListenAddress(address.description) == address, "the description can be read again")
        }

        @Test(arguments: [
            ("", "not a port"), ("tracer", "not a port"), ("127.0.0.1", "not a port"), ("127.0.0.1:", "not a port"),
            ("127.0.0.1:65536", "not a port"), ("127.0.0.1:-1", "not a port"), ("+80", "not a port"),
            ("080", "not a port"), ("127.0.0.1: 80", "not a port"), ("1.2.3:80", "neither an IP address nor localhost"),
            ("example.com:80", "neither an IP address nor localhost"), ("::1:80", "must be in brackets"),
            ("[::1]", "must follow the bracket"), ("[::1", "closing bracket"),
            ("[127.0.0.1]:80", "not an IPv6 address"),
            ("[]:80", "not an IPv6 address"), ("http://127.0.0.1:80", "must be in brackets"),
            ("unix:", "path is empty"),
            ("unix:a\0b", "contains a zero byte"),
        ])
        func invalidAddressIsRefused(text: String, reason: String) {
            let error = #expect(throws: ServerError.self) { try ListenAddress(text) }
            #expect(error?.code == .invalidAddress)
            #expect(error?.description.contains("\"\(text.printablePrefix)\"") == true, "names the value")
            #expect(error?.description.contains(reason) == true, "says why: \(error?.description ?? "")")
            #expect(error?.hint.contains("127.0.0.1:8089") == true, "says what would do")
        }

        @Test func loopbackAddressIsDetected() throws {
            for text in ["8089", "127.8.9.1:0", "localhost:0", "[::1]:0", "unix:/x"] {
                #expect(try ListenAddress(text).isLoopback, "\(text)")
            }
            for text in ["0.0.0.0:0", "192.168.1.1:0", "[::]:0", "[fe80::1]:0", "[::ffff:1.2.3.4]:0"] {
                #expect(try !ListenAddress(text).isLoopback, "\(text)")
            }
        }

        @Test func urlMatchesTheAddress() throws {
            #expect(try ListenAddress("[::1]:8089").url == "http://[::1]:8089/")
            #expect(try ListenAddress("8089").url == "http://127.0.0.1:8089/")
            #expect(try ListenAddress("unix:/x").url == "unix:/x")
        }
    }
}
