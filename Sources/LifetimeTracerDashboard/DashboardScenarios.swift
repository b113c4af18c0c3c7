extension Dashboard {
    /// Returns the routes that list and play scenarios; pass them to ``init(registry:gate:routes:retainPaths:)``.
    public static func scenarioRoutes(_ catalogue: some ScenarioCatalogue) -> [Route] {
        ScenarioRoutes.routes(catalogue)
    }
}
