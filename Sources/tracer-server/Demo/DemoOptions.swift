import LifetimeTracerDashboard
import LifetimeTracerServer

/// The options of the demo.
struct DemoOptions: Sendable, Equatable {
    var address = ListenAddress.standard
    var allowedHosts: [String] = []
    var plays: [Play] = []
    var recordsCreationStacks = false
    var knownLeaks: String?
    var accessTokenFile: String?

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = DemoCommand.syntax
        if let text = arguments.text("--listen") {
            do throws(ServerError) {
                address = try ListenAddress(text)
            } catch {
                throw syntax.error("--listen \(error)")
            }
        }
        allowedHosts = arguments.all("--allow-host")
        recordsCreationStacks = arguments.text("--creation-stacks") != nil
        knownLeaks = arguments.text("--known-leaks")
        accessTokenFile = arguments.text("--token-file")
        for text in arguments.all("--play") {
            plays.append(try Self.play(in: text, syntax))
        }
    }

    private static func play(in text: String, _ syntax: CommandSyntax) throws(UsageError) -> Play {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw syntax.error("--play \"\(text)\" is not NAME:FORM, for example \(Scenario.all[0].name):leaking")
        }
        guard Scenario.all.contains(where: { $0.name == parts[0] }) else {
            let known = Scenario.all.map(\.name).joined(separator: ", ")
            throw syntax.error("--play \"\(text)\": unknown scenario \"\(parts[0])\"; known scenarios: \(known)")
        }
        guard let form = ScenarioForm(rawValue: parts[1]) else {
            let known = ScenarioForm.allCases.map(\.rawValue).joined(separator: ", ")
            throw syntax.error("--play \"\(text)\": unknown form \"\(parts[1])\"; known forms: \(known)")
        }
        return Play(name: parts[0], form: form)
    }
}
