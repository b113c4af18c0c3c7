import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The files of the page, as the dashboard serves them.
@Suite struct AssetTests {
    private static let web = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Web")

    @Test func servedFilesMatchTheFilesOnDisk() throws {
        let files = try Self.names(in: Self.web).filter { $0 != "style" }
        #expect(Set(files.map { "/" + $0 } + ["/style.css"]) == Set(WebAsset.all.map(\.path)))
        let bench = Bench()
        for file in files {
            let response = bench.get("/\(file)")
            #expect(response.status == 200, "\(file)")
            #expect(try response.bytes == Array(Data(contentsOf: Self.web.appendingPathComponent(file))), "\(file)")
            #expect(response.headers["Cache-Control"] == "no-cache")
            let type = ["html": "text/html", "js": "text/javascript"][String(file.split(separator: ".").last ?? "")]
            #expect(response.headers["Content-Type"] == type.map { "\($0); charset=utf-8" }, "\(file)")
        }
    }

    @Test func partsOfTheStyleSheetAreServedAsOneFile() throws {
        let folder = Self.web.appendingPathComponent("style")
        let response = Bench().get("/style.css")
        #expect(response.headers["Content-Type"] == "text/css; charset=utf-8")
        let parts = try Self.names(in: folder).map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        #expect(!parts.isEmpty && parts.allSatisfy(response.text.contains))
        #expect(response.bytes.count == parts.reduce(0) { $0 + $1.utf8.count })
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    }

    @Test func rootServesThePage() {
        let bench = Bench()
        #expect(bench.get("/").bytes == bench.get("/index.html").bytes)
        #expect(bench.get("/").headers["ETag"] == bench.get("/index.html").headers["ETag"])
    }

    /// Test values from the authors of the hash function.
    @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func stableHashMatchesPublishedValues(_ text: String, _ hash: String) {
        #expect(String(StableHash.of(text.utf8), radix: 16) == hash)
    }

    @Test func entityTagContainsHashOfTheBytes() throws {
        let page = try #require(WebAsset.all.first { $0.path == "/index.html" })
        #expect(page.entityTag.contains(String(StableHash.of(page.bytes.buffer), radix: 16)))
    }

    @Test func entityTagsOfFilesDiffer() {
        let tags = WebAsset.all.map(\.entityTag)
        #expect(Set(tags).count == tags.count)
        #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
    }

    @Test(arguments: [
        ("TAG", true), ("W/TAG", true), (#""a", TAG"#, true), (#""a,b" , W/TAG,"c""#, true), ("*", true), (" * ", true),
        (#""other""#, false), ("", false), (#""*""#, false), ("TAGx\"", true), (#""xTAG"#, false), ("garbage", false),
        ("\"unterminated", false),
    ])
    func matchingEntityTagGivesNotModified(_ header: String, _ isKnown: Bool) throws {
        let bench = Bench()
        let tag = try #require(bench.get("/").headers["ETag"])
        let condition = ("If-None-Match", header.replacingOccurrences(of: "TAG", with: tag))
        for method in ["GET", "HEAD"] {
            let response = bench.send(method, "/", headers: [condition])
            #expect(response.status == (isKnown ? 304 : 200), "\(header)")
            #expect(response.headers["ETag"] == tag)
            if isKnown {
                // The response has the same body as without the condition. The server sends only the body's length.
                #expect(response.bytes == bench.get("/").bytes)
                #expect(response.headers["Content-Type"] == nil)
            }
        }
    }
}
