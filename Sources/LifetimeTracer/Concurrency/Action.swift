/// A closure that can be stored in an optional, a collection or a state behind a lock.
///
/// The wrapper is needed because storing a bare closure there fails in an unoptimised build: see ``LockedState``.
package struct Action: LockedState {
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    package func callAsFunction() {
        body()
    }
}
