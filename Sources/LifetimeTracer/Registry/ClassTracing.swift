/// Whether the classes of a program that was not prepared are traced.
package struct ClassTracing: Sendable, LockedState {
    /// The reason why they are not; `nil` if they are.
    package var obstacle: String?
    /// The program and its shared objects whose classes are traced.
    package var images = 0
    /// The images that could not get hooks; their classes are not traced.
    package var refusedImages = 0
    /// The classes that are traced, of those whose instances were created.
    package var classes = 0
    /// The instances that the optimiser has placed on the stack; they are not listed.
    package var stackInstances = 0
    /// The deaths of instances whose births were not recorded.
    package var unknownDeaths = 0

    package init(obstacle: String? = nil) {
        self.obstacle = obstacle
    }

    private struct Source: LockedState {
        let report: @Sendable () -> ClassTracing
    }

    private static let source = Locked<Source?>(nil)

    /// Sets the function that reports the state.
    package static func setSource(_ report: @escaping @Sendable () -> ClassTracing) {
        source.withLock { $0 = Source(report: report) }
    }

    /// The state now; `nil` in a program without the hooks.
    package static var current: ClassTracing? {
        source.withLock { $0 }?.report()
    }
}
