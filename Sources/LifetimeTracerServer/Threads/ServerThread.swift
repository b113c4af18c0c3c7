import TracerBase

/// Starts the server's threads, which block the host program's signals.
package enum ServerThread {
    /// Starts a thread, which must be joined or detached.
    package static func start(
        named name: StaticString, _ body: @escaping @Sendable () -> Void
    ) throws(ThreadError) -> SystemThread {
        let result = SignalMask.whileAllAreBlocked {
            Result { () throws(ThreadError) in try SystemThread(named: name, body) }
        }
        return try result.get()
    }
}

extension ServerError {
    /// The error for a refused thread.
    init(_ error: ThreadError) {
        self.init(.outOfResources, error.problem, hint: error.remedy, errno: error.error.number)
    }
}
