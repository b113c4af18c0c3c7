import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Requests that set, compare and drop marks.
@Suite struct ChangeTests {
    @Test(arguments: [
        ("", 400, "malformedBody"), ("{", 400, "malformedBody"), ("[]", 400, "malformedBody"),
        ("\"name\"", 400, "malformedBody"), ("{}", 400, "malformedBody"), (#"{"name":1}"#, 400, "malformedBody"),
        (#"{"name":null}"#, 400, "malformedBody"), (#"{"nam":"a"}"#, 400, "malformedBody"),
        (#"{"name":"a","b":[{}]}"#, 400, "malformedBody"), (#"{"name":"a"} x"#, 400, "malformedBody"),
        (#"{"name":""}"#, 400, "invalidParameter"), (#"{"name":"now"}"#, 400, "invalidParameter"),
        (#"{"name":"a\nb"}"#, 400, "invalidParameter"), (#"{"name":"taken"}"#, 409, "duplicateMark"),
        (#"{"name":"\ud800"}"#, 400, "malformedBody"), (#"{"name":"a","name":"b"}"#, 400, "malformedBody"),
        (#"{"name":"a","name":1}"#, 400, "malformedBody"), (#"{"name":1,"name":"a"}"#, 400, "malformedBody"),
        (#"{"name":"a","n\u0061me":"a"}"#, 400, "malformedBody"),
    ])
    func invalidMarkIsRefused(_ body: String, _ status: Int, _ code: String) throws {
        let bench = Bench()
        try bench.registry.setMark("taken")
        let response = bench.post("/api/v1/marks", body)
        #expect(response.status == status, "\(response.text)")
        #expect(response.errorCode == code)
        #expect(bench.registry.allMarks().map(\.name) == ["taken"])
    }

    @Test(arguments: ["a\"b", "\\", "\\\\\"", "ü"])
    func markWithSpecialCharactersIsSet(_ name: String) throws {
        let bench = Bench()
        let text = try String(decoding: JSONEncoder().encode(["name": name]), as: UTF8.self)
        #expect(bench.post("/api/v1/marks", text).status == 201, "\(text)")
        #expect(bench.post("/api/v1/marks", #" { "name" : "\u0022" } "#).status == 201)
        #expect(bench.registry.allMarks().map(\.name) == [name, "\""])
    }

    @Test func fullMarkTableRefusesMarks() throws {
        var configuration = RegistryConfiguration()
        configuration.markLimit = 1
        let bench = Bench(configuration: configuration)
        #expect(bench.post("/api/v1/marks", #"{"name":"a"}"#).status == 201)
        let response = bench.post("/api/v1/marks", #"{"name":"b"}"#)
        #expect(response.status == 409)
        #expect(response.errorCode == "markTableFull")
    }

    @Test func droppedMarkIsUnknownAfterwards() throws {
        let bench = Bench()
        try bench.registry.setMark("a")
        let response = bench.send("DELETE", "/api/v1/marks/a")
        #expect(response.status == 204)
        #expect(response.bytes.isEmpty)
        #expect(response.headers["Content-Type"] == nil)
        let again = bench.send("DELETE", "/api/v1/marks/a")
        #expect(again.status == 404)
        #expect(again.errorCode == "unknownMark")
        #expect(!again.errorHint.contains("compar"))
    }

    @Test(
        arguments: [
            (nil, 415), ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("application/jsonp", 415),
            ("multipart/form-data; boundary=application/json", 415), ("application/json", 201),
            ("Application/JSON; charset=utf-8", 201), (" application/json ; charset=utf-8", 201),
        ] as [(String?, Int)])
    func onlyJSONMediaTypeIsAccepted(_ type: String?, _ status: Int) {
        let bench = Bench()
        let headers = type.map { [("Content-Type", $0)] } ?? []
        let response = bench.send("POST", "/api/v1/marks", headers: headers, body: #"{"name":"a"}"#)
        #expect(response.status == status)
        if status == 415 { #expect(response.errorCode == "unsupportedMediaType") }
    }

    @Test func diffListsSurvivorsBetweenMarks() throws {
        let bench = Bench()
        try bench.registry.setMark("a")
        let first = bench.registry.withCurrent { Session() }
        bench.pass(.seconds(1))
        try bench.registry.setMark("b")
        let second = bench.registry.withCurrent { Session() }
        let between = try bench.json("/api/v1/diff?from=a&to=b")
        #expect(between["survivors"].array.compactMap { $0["id"].int } == [1])
        #expect(between["types"][0]["born"].int == 1)
        #expect(try bench.json("/api/v1/diff?from=a&to=now")["total"].int == 2)
        #expect(bench.get("/api/v1/diff?from=a&to=c").errorHint.contains("a, b"))
        #expect(bench.get("/api/v1/diff").errorHint == "The name of the earlier mark. Accepted: a, b.")
        let now = bench.get("/api/v1/diff?from=now")
        #expect(now.status == 400)
        #expect(now.errorHint == "Accepted: the name of a mark; only `to` accepts `now`. Existing marks: a, b.")
        withExtendedLifetime((first, second)) {}
    }
}
