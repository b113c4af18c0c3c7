import CTracerSystem

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A thread of the system that runs a closure and ends with it.
///
/// It must be joined or detached, once. `@unchecked Sendable` is safe because the handle is only read.
package final class SystemThread: @unchecked Sendable {
    /// The sizes of a thread's stack.
    package enum Stack: Sendable {
        /// The system's default, often 8 MB.
        case standard
        /// The system's default, but at least 512 KiB, which is the default of secondary threads on macOS. Exactly that
        /// size if a limit leaves little memory.
        case modest
    }

    private static let modestSize = 512 << 10

    private let handle: pthread_t

    /// Starts a thread.
    ///
    /// The thread runs when the initializer returns. Before, the C library blocks all of its signals, and Swift's crash
    /// reporter would complain that it cannot suspend the thread. If the program's memory is limited, the thread is
    /// refused if it would leave the program less than ``ProcessLimits/reserve``. It then also has all its memory for
    /// blocks, so that no later allocation takes memory from the program.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers and `/proc` show; Linux shows 15 bytes of it.
    ///   - stack: The size of the stack.
    ///   - body: Retained until it has returned. A fork child, which does not have the thread, retains it forever.
    /// - Throws: ``ThreadError`` if the system refuses the thread. In that case `body` is not called.
    package init(
        named name: StaticString, stack: Stack = .standard, _ body: @escaping @Sendable () -> Void
    ) throws(ThreadError) {
        var sizes: [Int?] = stack == .modest ? [nil, Self.modestSize] : [nil]
        if ProcessLimits.isMemoryLimited {
            sizes.removeAll { !ProcessLimits.hasRoom(forThreads: 1, stack: $0 ?? ProcessLimits.usualStack, leaving: 0) }
        }
        let arrival = ThreadArrival()
        // Safe because the retain is balanced: `mainOfThread` releases the context, or the code below if no thread has
        // started.
        let context = Unmanaged.passRetained(ThreadContext(name: name, body: body, arrival: arrival))
        var failure = ENOMEM
        for size in sizes {
            switch Self.create(context, size: size, atLeast: stack == .modest ? Self.modestSize : 0) {
            case .success(let handle):
                self.handle = handle
                arrival.wait()
                return
            case .failure(let error):
                failure = error.number
            }
            guard failure == EAGAIN || failure == ENOMEM else { break }
        }
        context.release()
        throw ThreadError(name: name.description, error: SystemError(failure))
    }

    /// Starts a thread that nobody waits for, with a modest stack.
    ///
    /// - Throws: ``ThreadError`` if the system refuses the thread.
    package static func detach(
        named name: StaticString, _ body: @escaping @Sendable () -> Void
    ) throws(ThreadError) {
        try SystemThread(named: name, stack: .modest, body).detach()
    }

    private static func create(
        _ context: Unmanaged<ThreadContext>, size: Int?, atLeast least: Int
    ) -> Result<pthread_t, SystemError> {
        var attributes = pthread_attr_t()
        var failure = pthread_attr_init(&attributes)
        guard failure == 0 else { return .failure(SystemError(failure)) }
        defer { pthread_attr_destroy(&attributes) }
        var usual = 0
        pthread_attr_getstacksize(&attributes, &usual)
        if let size = size ?? (usual < least ? least : nil) { pthread_attr_setstacksize(&attributes, size) }
        #if canImport(Darwin)
        var handle: pthread_t?
        #else
        var handle = pthread_t()
        #endif
        failure = pthread_create(&handle, &attributes, { mainOfThread($0) }, context.toOpaque())
        let started: pthread_t? = handle
        guard failure == 0, let started else { return .failure(SystemError(failure)) }
        return .success(started)
    }

    /// Waits until the body has returned.
    ///
    /// Must be called once, and not on the thread itself.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread end on its own.
    ///
    /// Must be called once, instead of ``join()``.
    package func detach() {
        pthread_detach(handle)
    }
}

/// The reason why a thread could not be started.
package struct ThreadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The thread's name.
    package let name: String
    package let error: SystemError

    /// The thread and the system's error, as a sentence.
    package var problem: String { "the thread \(name) cannot be started: \(error)." }

    /// The limit that was probably reached, and how to raise it; or what refuses threads whatever the limits are.
    package var remedy: String {
        error.isShortage
            ? ProcessLimits.reason(for: error)
            : "Allow the system calls clone and clone3; a filter (seccomp) of the container or of systemd refuses them."
    }

    package var description: String { "\(problem) \(remedy)" }
}

/// The name and the body of a new thread.
private final class ThreadContext: Sendable {
    let name: StaticString
    let body: @Sendable () -> Void
    /// What the starter of the thread waits for.
    let arrival: ThreadArrival

    init(name: StaticString, body: @escaping @Sendable () -> Void, arrival: ThreadArrival) {
        self.name = name
        self.body = body
        self.arrival = arrival
    }
}

/// The thread's entry point; a free function, so that it does not inherit the isolation of an actor.
private func mainOfThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Balances `passRetained` in `init`.
    let context = Unmanaged<ThreadContext>.fromOpaque(argument).takeRetainedValue()
    // Safe: the text of a literal lives as long as the program.
    context.name.utf8Start.withMemoryRebound(to: CChar.self, capacity: context.name.utf8CodeUnitCount + 1) {
        lt_name_thread($0)
    }
    // Until the thread ends.
    lt_begin_unchecked_allocations()
    context.arrival.report()
    lt_clear_stack()
    context.body()
    return nil
}
