/// A closure that is stored: in an optional, in a collection or in a state behind a lock.
///
/// Wrapped, because a bare closure does not bear that in an unoptimised build: see ``LockedState``.
package struct Action: LockedState {
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    package func callAsFunction() {
        body()
    }
}
