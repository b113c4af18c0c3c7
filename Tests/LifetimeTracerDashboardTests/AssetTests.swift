import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The files of the page, as the dashboard serves them.
@Suite struct AssetTests {
    private static let web = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Web")

    @Test func threeFilesAreServed() throws {
        #expect(Set(WebAsset.all.map(\.path)) == ["/index.html", "/app.js", "/style.css"])
        let bench = Bench()
        for (file, type) in [("index.html", "text/html"), ("app.js", "text/javascript"), ("style.css", "text/css")] {
            let response = bench.get("/\(file)")
            #expect(response.status == 200, "\(file)")
            #expect(response.headers["Cache-Control"] == "no-cache")
            #expect(response.headers["Content-Type"] == "\(type); charset=utf-8", "\(file)")
        }
        let page = try Data(contentsOf: Self.web.appendingPathComponent("index.html"))
        #expect(bench.get("/index.html").bytes == Array(page))
    }

    @Test func scriptContainsEachLineOfEachModuleAfterItsImports() throws {
        let script = Bench().get("/app.js").text
        let lines = Set(script.split(separator: "\n"))
        let modules = try Self.names(in: Self.web).filter { $0.hasSuffix(".js") }
        #expect(modules.count > 50)
        for module in modules {
            let start = try #require(script.range(of: "\n// \(module)\n") ?? script.range(of: "// \(module)\n"))
            let text = try String(contentsOf: Self.web.appendingPathComponent(module), encoding: .utf8)
            for line in text.split(separator: "\n") {
                if let imported = line.wholeMatch(of: /import .* from '\.\/(.+)';/)?.1 {
                    let other = try #require(script.range(of: "// \(imported)\n"))
                    #expect(other.lowerBound < start.lowerBound, "\(module) runs before \(imported)")
                } else {
                    let isExported = line.hasPrefix("export ")
                    #expect(lines.contains(isExported ? line.dropFirst("export ".count) : line), "\(module): \(line)")
                }
            }
        }
        #expect(!script.contains("\nimport ") && !script.contains("\nexport "))
    }

    @Test func modulesAreJoinedWithTheirImportsAndExports() {
        let bundle = ModuleBundle(
            of: "app.js",
            from: [
                "app.js": """
                import {a, B as C} from './heap-view.js';
                import * as names from './names.js';
                import {a as again} from './heap-view.js';
                export const text = `
                import of words`;
                """,
                "heap-view.js": """
                import {$n1} from './names.js';
                export function a(x) {}
                export class B {
                }
                """,
                "names.js": "export const $n1 = 1;\nexport async function of() {}\nconst own = 2;",
            ])
        #expect(
            bundle.text == """
                // names.js
                const names_js = (() => {
                const $n1 = 1;
                async function of() {}
                const own = 2;
                return {$n1, of};
                })();
                // heap-view.js
                const heap_view_js = (() => {
                const {$n1} = names_js;
                function a(x) {}
                class B {
                }
                return {a, B};
                })();
                // app.js
                const app_js = (() => {
                const {a, B: C} = heap_view_js;
                const names = names_js;
                const {a: again} = heap_view_js;
                const text = `
                import of words`;
                return {text};
                })();

                """)
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
        #expect(page.content.entityTag.contains(String(StableHash.of(page.content.bytes.buffer), radix: 16)))
    }

    @Test func entityTagsOfFilesDiffer() {
        let tags = WebAsset.all.map(\.content.entityTag)
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
