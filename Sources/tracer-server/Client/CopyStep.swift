/// The steps of a frozen copy of the process, in words.
enum CopyStep {
    /// The step with a name of the API; `nil` if the step depends on the purpose of the copy.
    static func words(for progress: String?) -> String? {
        switch progress {
        case "preparing": "reading type layouts"
        case "copying": "copying the process"
        case "walking": "scanning the heap of the copy"
        case "naming": "resolving names"
        default: nil
        }
    }
}
