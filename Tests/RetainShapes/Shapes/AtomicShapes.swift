internal import LifetimeTracer
package import RetainShapesLibraries
import Synchronization

/// References in atomics and in other lock-free cells.
@MainActor package enum AtomicShapes {
    package static var managed: ManagedAtomic<Screen>?
    package static var lazyManaged: ManagedAtomicLazyReference<Screen>?
    package static var cell: AnyObject?
    package static var screen: Screen?
    package static var cells: [ManagedAtomic<Screen>] = []

    private final class LazyCell {
        let reference = AtomicLazyReference<Screen>()
    }

    private final class UnmanagedCell {
        let reference = Atomic<UInt>(0)
        let other = Atomic<Unmanaged<Screen>?>(nil)

        deinit { other.exchange(nil, ordering: .relaxed)?.release() }
    }

    private final class CellWithLock {
        let screens = Mutex<[Screen]>([])
        let one = Mutex<Screen?>(nil)
        let locked = Locked<Screen?>(nil)
    }

    static let all = [
        managedAtomic, lazyReference, standardLazy, unmanagedAtomic, mutexArray, mutexOptional, lockedOptional,
        exchanged, manyCells, ownerCycle,
    ]

    private static let managedAtomic = Shape(
        "atomic reference", .held(.global("AtomicShapes.managed"), .object("ManagedAtomic")).certain()
    ) {
        let made = DetailScreen()
        managed = ManagedAtomic(made)
        return Planted(made) { managed = nil }
    }

    private static let lazyReference = Shape(
        "lazy atomic reference",
        .held(.global("AtomicShapes.lazyManaged"), .object("ManagedAtomicLazyReference"))
            .certain()
    ) {
        let made = DetailScreen()
        let lazy = ManagedAtomicLazyReference<Screen>()
        _ = lazy.storeIfNilThenLoad(made)
        lazyManaged = lazy
        return Planted(made) { lazyManaged = nil }
    }

    private static let standardLazy = Shape(
        "the standard library's lazy reference", .held(.global("AtomicShapes.cell"), .through("reference")).certain()
    ) {
        let made = DetailScreen()
        let lazy = LazyCell()
        _ = lazy.reference.storeIfNil(made)
        cell = lazy
        return Planted(made) { cell = nil }
    }

    private static let unmanagedAtomic = Shape(
        "the standard library's atomic of an Unmanaged", .held(.global("AtomicShapes.cell"), .through("other"))
    ) {
        let made = DetailScreen()
        let atomic = UnmanagedCell()
        // Balanced by the cell, which releases the reference.
        atomic.other.store(.passRetained(made), ordering: .relaxed)
        cell = atomic
        return Planted(made) { cell = nil }
    }

    private static let mutexArray = Shape(
        "array in a mutex", .held(.global("AtomicShapes.cell"), .through("screens"), .through("[0]")).certain()
    ) {
        let made = DetailScreen()
        let locked = CellWithLock()
        locked.screens.withLock { [hidden = Hidden(made)] in $0 = [hidden.object] }
        cell = locked
        return Planted(made) { cell = nil }
    }

    private static let mutexOptional = Shape(
        "reference in a mutex", .held(.global("AtomicShapes.cell"), .through("one")).certain()
    ) {
        let made = DetailScreen()
        let locked = CellWithLock()
        locked.one.withLock { [hidden = Hidden(made)] in $0 = hidden.object }
        cell = locked
        return Planted(made) { cell = nil }
    }

    private static let lockedOptional = Shape(
        "reference in a lock", .held(.global("AtomicShapes.cell"), .through("locked")).certain()
    ) {
        let made = DetailScreen()
        let locked = CellWithLock()
        locked.locked.withLock { [hidden = Hidden(made)] in $0 = hidden.object }
        cell = locked
        return Planted(made) { cell = nil }
    }

    private static let exchanged = Shape(
        "not held by an atomic that held it", .held(.global("AtomicShapes.screen")),
        using: ["AtomicShapes.managed"]
    ) {
        let made = DetailScreen()
        let atomic = ManagedAtomic<Screen>(made)
        screen = atomic.exchange(nil)
        managed = atomic
        return Planted(made) {
            screen = nil
            managed = nil
        }
    }

    private static let manyCells = Shape(
        "one of many atomics", .held(.global("AtomicShapes.cells"), .through("[3]"), .object("ManagedAtomic")).certain()
    ) {
        let made = DetailScreen()
        cells = (0..<6).map { ManagedAtomic($0 == 3 ? made : Screen()) }
        return Planted(made) { cells = [] }
    }

    private static let ownerCycle = Shape(
        "cycle through an atomic", .cycle(.object("AtomicOwner"), .through("cell"), .object("ManagedAtomic"))
    ) {
        let owner = AtomicOwner()
        owner.fill()
        let hidden = Hidden(owner)
        return Planted(owner) { hidden.object.empty() }
    }
}

extension Screen: LockedState {}

private final class AtomicOwner: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread uses the object.
    private let cell = ManagedAtomic<AtomicOwner>(nil)

    func fill() { _ = cell.exchange(self) }
    func empty() { _ = cell.exchange(nil) }
}
