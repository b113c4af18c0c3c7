import LifetimeTracer

extension RequestError {
    /// Creates the error response for an error of the registry.
    init(_ error: TracerError) {
        let (status, code) =
            switch error.code {
            case .unknownMark: (404, error.code.rawValue)
            case .duplicateMark, .markTableFull: (409, error.code.rawValue)
            default: (400, "invalidParameter")
            }
        self.init(status: status, code: code, message: error.message, hint: error.hint)
    }
}
