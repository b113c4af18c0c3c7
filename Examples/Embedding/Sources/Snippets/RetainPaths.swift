// example explain by id: begin
import RetainPaths

func printHolders(of screen: DetailScreen) async throws {
    let report = try await RetainPaths.explain([screen.lifetimeID])
    print(report.text())
}
// example explain by id: end

func optionsWithKnownLeaks() throws -> RetainPaths.Options {
    // example known leaks: begin
    var options = RetainPaths.Options()
    options.knownLeaks = try KnownLeaks(contentsOf: "known-leaks.json")
    // example known leaks: end
    return options
}
