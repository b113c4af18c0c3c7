import RetainPaths

// example explain: begin
/// Prints what holds an object that should be gone.
func printHolders(of upload: Upload) async throws {
    let report = try await RetainPaths.explain([upload])
    for explanation in report.explanations {
        print(explanation.status, "\(explanation.explainedReferences) of \(explanation.strongReferences)")
        for (position, step) in explanation.path.enumerated() {
            print(position == explanation.suspect ? "suspect:" : "        ", step.through, step.name)
        }
    }
    print(report.text())
}
// example explain: end
