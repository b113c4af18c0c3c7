#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import Patience

@testable import RetainPaths

/// What the tests of the search plant.
final class EngineLeaf: @unchecked Sendable, LockedState {
    // Unchecked, as one test uses it alone.
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

/// A question by addresses, and what a search answers.
enum Engine {
    /// What tests have planted, each under a name of its own.
    static let garden = Locked<[String: EngineLeaf]>([:])

    /// A leaf that the garden alone holds.
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

    /// The address of an object, which does not look like a reference to it.
    static func inverted(_ object: AnyObject) -> UInt64 {
        ~UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    /// Options for a search that may take long, as on a busy machine.
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

    /// How many descriptors the process has open.
    static func descriptorCount() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Whether the process has a child, ended or not, that sends no signal at its end.
    static func hasSilentChild() -> Bool {
        var status: CInt = 0
        // __WCLONE: children that send something else than SIGCHLD.
        let flags = WNOHANG | CInt(bitPattern: UInt32(0x8000_0000))
        return waitpid(-1, &status, flags) != -1 || errno != ECHILD
    }
}
#endif
