#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import Patience

@testable import RetainPaths

/// The object that the tests of the search plant.
final class EngineLeaf: @unchecked Sendable, LockedState {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var next: EngineLeaf?
    var leaves: [EngineLeaf] = []
    var action: (() -> Void)?
    var named: [String: EngineLeaf] = [:]
    var numbered: [Int16: EngineLeaf] = [:]
    var anything: [AnyHashable: Any] = [:]
    weak var weakly: EngineLeaf?
    unowned var unownedly: EngineLeaf?
    unowned(unsafe) var unsafely: EngineLeaf?
    var identifier: ObjectIdentifier?
    var payload: EnginePayload = .nothing
}

enum EnginePayload {
    case nothing
    case leaf(EngineLeaf)
    case pair(EngineLeaf, name: String)
    case number(Int)
}

/// Questions by address, and the findings of a search.
enum Engine {
    /// The planted objects of the tests, each under a unique name.
    static let garden = Locked<[String: EngineLeaf]>([:])

    /// Plants a leaf that only the garden holds.
    @inline(never)
    static func plant(_ name: String) -> EngineLeaf {
        let leaf = EngineLeaf()
        garden.withLock { $0[name] = leaf }
        return leaf
    }

    static func uproot(_ name: String) {
        let leaf = garden.withLock { $0.removeValue(forKey: name) }
        withExtendedLifetime(leaf) {}
    }

    /// Makes a leaf that nothing holds, and returns its inverted address.
    static func loseLeaf() -> UInt64 { lose(EngineLeaf.init) }

    /// Makes an object that nothing holds, and returns its inverted address.
    ///
    /// The stack of the thread that makes the object is gone afterwards, with its stale words.
    static func lose(_ make: @escaping @Sendable () -> AnyObject) -> UInt64 {
        let lost = Locked<UInt64>(0)
        SimpleThread {
            let object = make()
            // Safe: the object is retained by hand and never released, so that it stays alive without a holder.
            _ = Unmanaged.passRetained(object)
            lost.withLock { $0 = Engine.inverted(object) }
        }.join()
        return lost.withLock { $0 }
    }

    /// The inverted address of an object, which does not look like a reference.
    static func inverted(_ object: AnyObject) -> UInt64 {
        ~UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    /// Options with a long timeout, for busy machines.
    static var patient: RetainPaths.Options {
        var options = RetainPaths.Options()
        options.timeout = Patience.limit
        return options
    }

    static func findings(
        _ targets: [UInt64], options: RetainPaths.Options = Engine.patient
    ) async throws -> [HeapAnswer.Finding] {
        try await HeapAnswer.search(.addresses(targets), by: [], options: options).findings
    }

    /// The number of open descriptors of the process.
    static func descriptorCount() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Whether the process has a running or ended child that sends no signal when it ends.
    static func hasSilentChild() -> Bool {
        var status: CInt = 0
        // __WCLONE selects children that send another signal than SIGCHLD, or none.
        let flags = WNOHANG | CInt(bitPattern: UInt32(0x8000_0000))
        return waitpid(-1, &status, flags) != -1 || errno != ECHILD
    }
}
#endif
