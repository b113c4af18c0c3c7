import Foundation
import FoundationXML
import LifetimeTracer
import Testing
import TracerBase

@testable import tracer_server

/// The JSON and the JUnit XML that `check` writes.
@Suite struct CheckOutputTests {
    private static let overdue = """
        {"next":null,"overdue":3,"known":2,"groups":[
         {"type":"A.Box<B & \\"C\\">","reason":"closed \\u001b[31m","overdue":1,"known":null,
          "retainPath":{"hint":"Let go.","signature":null},
          "instances":[{"id":17,"type":"A.Box","role":"culprit","state":"overdue","retainStatus":"reachable",
           "known":false}]},
         {"type":"A.Cache","reason":"closed","overdue":2,"known":{"reason":"x","count":2},"retainPath":null,
          "instances":[]}]}
        """

    private static func outcome(_ words: [String] = []) async throws -> CheckOutcome {
        let options = try CheckVerdictTests.options(words)
        let types = Canned.types([Canned.type("A.Calm", live: 1)])
        let report = try await CheckVerdictTests.report(Canned.answers(overdue: overdue, types: types), words)
        return CheckOutcome(
            .success(report), of: options.address, at: WallTime(nanosecondsSince1970: 1_700_000_000_250_000_000),
            took: .milliseconds(1205))
    }

    private static func unanswered() throws -> CheckOutcome {
        CheckOutcome(
            .failure(.unreachable("cannot reach <it>")), of: try CheckVerdictTests.options().address,
            at: WallTime(nanosecondsSince1970: 1_700_000_000_000_000_000), took: .seconds(2))
    }

    private static func text(_ outcome: CheckOutcome) -> String {
        String(decoding: CheckJSON(outcome: outcome).jsonBytes, as: UTF8.self).printableJSON
    }

    @Test func jsonListsEveryLimit() async throws {
        let outcome = try await Self.outcome(["--max-live", "Calm=1", "--max-live", "Clam=1"])
        let calm = #"{"kind":"live","type":"Calm","state":"within","count":1,"limit":1,"known":0,"#
        let none = ["orphaned", "overBudget", "brokenInvariants", "crowded", "growing"].map {
            #"{"kind":"\#($0)","type":null,"state":"within","count":0,"limit":0,"known":0,"#
                + #""details":[],"detailsLeftOut":0}"#
        }
        #expect(
            Self.text(outcome) == """
                {"version":1,"verdict":"over","reason":null,"server":"http://127.0.0.1:1/",\
                "checkedAt":"2023-11-14T22:13:20.250Z","process":{"pid":7,"name":"app","host":"box"},"live":1,\
                "findings":[{"kind":"overdue","type":null,"state":"over","count":1,"limit":0,"known":2,\
                "details":[{"count":1,\
                "subject":"A.Box<B & \\"C\\">","text":"1 for A.Box<B & \\"C\\">: closed \\u001b[31m (#17)",\
                "instances":[17],"hint":"Let go."}],"detailsLeftOut":0},\
                \(none.joined(separator: ",")),\(calm)"details":[{"count":1,\
                "subject":"A.Calm","text":"1 A.Calm","instances":[],"hint":null}],"detailsLeftOut":0},\
                {"kind":"live","type":"Clam","state":"unknown","count":null,"limit":1,"known":0,\
                "details":[],"detailsLeftOut":0}]}
                """)
        #expect(outcome.exitCode == .failure)
    }

    @Test func unknownOutcomeReportsTheReasonInJSON() async throws {
        let outcome = try Self.unanswered()
        #expect(
            Self.text(outcome) == """
                {"version":1,"verdict":"unknown","reason":"cannot reach <it>","server":"http://127.0.0.1:1/",\
                "checkedAt":"2023-11-14T22:13:20.000Z","process":null,"live":null,"findings":[]}
                """)
        #expect(outcome.exitCode == .unknown)
        let unknown = try await Self.outcome(["--max-overdue", "1", "--max-live", "Clam=1"])
        #expect(unknown.verdict == .unknown)
        #expect(unknown.reason?.hasPrefix("no type named \"Clam\" has been seen; ") == true)
    }

    @Test func theXMLHasATestCaseForEachLimit() async throws {
        let outcome = try await Self.outcome(["--max-live", "Calm=1", "--max-live", "Clam=1"])
        let root = try Element.root(of: JUnitReport(outcome: outcome).xml)
        #expect(root.name == "testsuites" && root.children.map(\.name) == ["testsuite"])
        let suite = try #require(root.children.first)
        #expect(
            suite.attributes == [
                "id": "0", "package": "LifetimeTracer", "name": "tracer-server check",
                "timestamp": "2023-11-14T22:13:20",
                "hostname": "box", "tests": "8", "failures": "1", "errors": "1", "time": "1.205",
            ])
        let cases = suite.children.filter { $0.name == "testcase" }
        #expect(
            suite.children.map(\.name) == ["properties"] + Array(repeating: "testcase", count: 8)
                + ["system-out", "system-err"])
        #expect(
            cases.map { $0.attributes["name"] } == [
                "overdue", "orphaned tokens", "over budget", "broken invariants", "crowded events", "growing",
                "live Calm", "live Clam",
            ])
        #expect(cases.allSatisfy { Set($0.attributes.keys) == ["classname", "name", "time"] })
        #expect(cases.map { $0.children.map(\.name) } == [["failure"], [], [], [], [], [], [], ["error"]])
        let failure = try #require(cases.first?.children.first)
        #expect(
            failure.attributes == ["type": "overdue", "message": "1 overdue, at most 0 (plus 2 known leaks)"])
        #expect(
            failure.text == """
                1 overdue, at most 0 (plus 2 known leaks)
                1 for A.Box<B & "C">: closed \u{FFFD}[31m (#17)
                  Let go.
                """)
        #expect(cases.last?.children.first?.attributes["message"] == "no type named \"Clam\" has been seen")
    }

    @Test func unreachableServerIsAnErrorInTheXML() throws {
        let root = try Element.root(of: JUnitReport(outcome: Self.unanswered()).xml)
        let suite = try #require(root.children.first)
        #expect(suite.attributes["tests"] == "1" && suite.attributes["errors"] == "1")
        #expect(suite.attributes["hostname"] == "localhost" && suite.attributes["time"] == "2.000")
        let error = try #require(suite.children.first { $0.name == "testcase" }?.children.first)
        #expect(error.name == "error" && error.attributes == ["type": "noAnswer", "message": "cannot reach <it>"])
    }
}

/// An element of an XML document, read by Foundation's parser.
private struct Element {
    let name: String
    let attributes: [String: String]
    let children: [Element]
    let text: String

    static func root(of text: String) throws -> Element {
        Element(try #require(try XMLDocument(xmlString: text).rootElement()))
    }

    private init(_ element: XMLElement) {
        name = element.name ?? ""
        attributes = Dictionary(
            (element.attributes ?? []).map { ($0.name ?? "", $0.stringValue ?? "") }, uniquingKeysWith: { $1 })
        children = (element.children ?? []).compactMap { ($0 as? XMLElement).map(Element.init) }
        text = element.stringValue ?? ""
    }
}
