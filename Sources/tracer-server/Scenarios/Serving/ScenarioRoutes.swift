import LifetimeTracer
import LifetimeTracerDashboard
import TracerBase

/// The routes that list and play scenarios.
enum ScenarioRoutes {
    static let listPath = "/api/v1/scenarios"

    static func routes(_ catalogue: some ScenarioCatalogue) -> [Route] {
        let parameters = [
            Route.Parameter(
                "name", .text, "The name of a scenario.", schema: .choice(catalogue.scenarios().map(\.name))),
            Route.Parameter("form", .text, "The form of the scenario.", schema: ScenarioForm.schema),
        ]
        let links = [
            Route.Link(
                "play", to: .post, listPath + "/{name}/{form}",
                parameters: [("name", "/scenarios/0/name"), ("form", "/scenarios/0/forms/0/form")])
        ]
        return [
            Route(
                .get, listPath, summary: "The scenarios, with their last runs.",
                parameters: PageRequest.parameters, "A page of the scenarios.", links: links
            ) { request in
                let page = try PageRequest(request).page(of: catalogue.scenarios()) { StableHash.of($0.name) }
                return WireScenarioList(page: page.map(WireScenario.init))
            },
            Route(
                .post, listPath + "/{name}/{form}", summary: "Plays a scenario.", parameters: parameters,
                answer: 202, "The run.",
                errors: [
                    .error(404, "No scenario has the name and form."),
                    .error(
                        429, "Too many scenarios are running.",
                        headers: [Route.Header("Retry-After", "Seconds to wait.", .integer(1...))]),
                ]
            ) { try play($0, catalogue) },
        ]
    }

    private static func play(_ request: RouteRequest, _ catalogue: some ScenarioCatalogue) throws -> WireStartedRun {
        try checkBody(request.request.body)
        let name = request.text("name") ?? ""
        guard let form = request.text("form").flatMap(ScenarioForm.init) else {
            throw RequestError.unknownForm(request.text("form") ?? "")
        }
        do {
            return WireStartedRun(run: WireScenarioRun(try catalogue.play(name, form: form)))
        } catch {
            switch error {
            case .unknownScenario(let name): throw RequestError.unknownScenario(name, catalogue.scenarios())
            case .tooManyRuns(let limit): throw RequestError.tooManyRuns(limit)
            }
        }
    }

    /// Refuses a body that is not JSON.
    ///
    /// A JSON body is accepted and ignored.
    private static func checkBody(_ body: [UInt8]) throws(RequestError) {
        guard !body.isEmpty else { return }
        do throws(JSONError) {
            _ = try ObjectBody.value(of: body)
        } catch {
            throw RequestError(
                status: 400, code: "malformedBody", message: "The body is not JSON: \(error.message)",
                hint: "Send no body, or a JSON object.")
        }
    }
}

extension RequestError {
    fileprivate static func unknownScenario(_ name: String, _ known: [ScenarioInfo]) -> Self {
        Self(
            status: 404, code: "unknownScenario", message: "No scenario is named \"\(name.shortened)\".",
            hint: "Known scenarios: \(known.map(\.name).joined(separator: ", ")).")
    }

    fileprivate static func unknownForm(_ form: String) -> Self {
        Self(
            status: 404, code: "unknownScenario", message: "No form of a scenario is named \"\(form.shortened)\".",
            hint: "Known forms: \(ScenarioForm.allCases.map(\.rawValue).joined(separator: ", ")).")
    }

    fileprivate static func tooManyRuns(_ limit: Int) -> Self {
        Self(
            status: 429, code: "tooManyRuns", message: "The limit of \(limit) concurrent runs is reached.",
            hint: "Retry when a run has ended; each takes some seconds.",
            headers: [HTTPHeaders.Field("Retry-After", "1")])
    }
}
