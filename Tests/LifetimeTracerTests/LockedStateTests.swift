import LifetimeTracer
import Testing

/// `Locked` accepts no closure as its state, and no collection of closures.
@Suite struct LockedStateTests {
    private typealias Closure = @Sendable () -> Void

    @Test(
        arguments: [
            Closure.self, Closure?.self, Closure??.self, [Closure].self, [Closure?].self, [UInt64: Closure].self,
            [UInt64: [UInt64: Closure]].self, Result<Closure, Never>.self, (Int, Closure).self,
        ] as [Any.Type])
    func closuresAreRefused(type: Any.Type) {
        #expect(!(type is any LockedState.Type), "\(type)")
    }

    @Test(
        arguments: [
            Action.self, Action?.self, [Action].self, [UInt64: [UInt64: Action]].self, Result<Action, Never>.self,
        ] as [Any.Type])
    func closuresWrappedInAStructAreAccepted(type: Any.Type) {
        #expect(type is any LockedState.Type, "\(type)")
    }
}
