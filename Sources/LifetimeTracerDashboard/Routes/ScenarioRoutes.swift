import LifetimeTracer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Dashboard {
    /// The routes under which scenarios are listed and played; hand them to ``init(registry:gate:routes:)``.
    public static func scenarioRoutes(_ catalogue: some ScenarioCatalogue) -> [Route] {
        let parameters = [
            Route.Parameter("name", .text, "The name of a scenario."),
            Route.Parameter("form", .text, "One of: \(ScenarioForm.allCases.map(\.rawValue).joined(separator: ", "))."),
        ]
        return [
            Route(
                .get, ScenarioRoutes.listPath, summary: "The scenarios, with their last runs.",
                parameters: PageRequest.parameters
            ) { request in
                let page = try PageRequest(request).page(of: catalogue.scenarios()) { StableHash.of($0.name) }
                return .json(WireList("scenarios", page, WireScenario.init))
            },
            Route(
                .post, ScenarioRoutes.listPath + "/{name}/{form}", summary: "Plays a scenario.", parameters: parameters,
                responses: [
                    Route.Response(202, "The run."), Route.Response(400, "The body is no JSON."),
                    Route.Response(404, "There is no such scenario."),
                    Route.Response(429, "There are too many runs at a time."),
                ]
            ) { try ScenarioRoutes.play($0, catalogue) },
        ]
    }
}

/// How scenarios are played.
enum ScenarioRoutes {
    static let listPath = "/api/v1/scenarios"

    fileprivate static func play(_ request: RouteRequest, _ catalogue: some ScenarioCatalogue) throws -> HTTPResponse {
        try checkBody(request.request.body)
        let name = request.text("name") ?? ""
        guard let form = request.text("form").flatMap(ScenarioForm.init) else {
            throw RequestError.unknownForm(request.text("form") ?? "")
        }
        do {
            return .json(StartedRun(run: try catalogue.play(name, form: form)), status: 202)
        } catch {
            switch error {
            case .unknownScenario(let name): throw RequestError.unknownScenario(name, catalogue.scenarios())
            case .tooManyRuns(let limit): throw RequestError.tooManyRuns(limit)
            }
        }
    }

    /// Refuses a body that says nothing; one that is JSON is allowed, and not looked at.
    private static func checkBody(_ body: [UInt8]) throws(RequestError) {
        guard !body.isEmpty, (try? JSONDecoder().decode(Anything.self, from: Data(body))) == nil else { return }
        throw RequestError(
            status: 400, code: "malformedBody", message: "The body is not JSON.", hint: "Send none; none is needed.")
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    private struct StartedRun: JSONWritable {
        let run: ScenarioRun

        func write(to writer: inout JSONWriter) {
            writer.object { $0.field("run", WireScenarioRun(run)) }
        }
    }
}

extension RequestError {
    fileprivate static func unknownScenario(_ name: String, _ known: [ScenarioInfo]) -> Self {
        Self(
            status: 404, code: "unknownScenario", message: "There is no scenario \"\(name.shortened)\".",
            hint: "Known are: \(known.map(\.name).joined(separator: ", ")).")
    }

    fileprivate static func unknownForm(_ form: String) -> Self {
        Self(
            status: 404, code: "unknownScenario", message: "There is no form \"\(form.shortened)\" of a scenario.",
            hint: "Known are: \(ScenarioForm.allCases.map(\.rawValue).joined(separator: ", ")).")
    }

    fileprivate static func tooManyRuns(_ limit: Int) -> Self {
        Self(
            status: 429, code: "tooManyRuns", message: "There are \(limit) runs already.",
            hint: "Wait until one is done: each takes some seconds.",
            headers: [HTTPHeaders.Field("Retry-After", "1")])
    }
}
