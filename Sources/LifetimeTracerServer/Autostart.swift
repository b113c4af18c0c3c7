import CTracerSystem
import Dispatch
import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Starts a server from environment variables.
///
/// `LIFETIME_TRACER=127.0.0.1:8089` gives the address. Optional variables are `LIFETIME_TRACER_TOKEN` or
/// `LIFETIME_TRACER_TOKEN_FILE`, `LIFETIME_TRACER_HOSTS=box.example,192.0.2.7`,
/// `LIFETIME_TRACER_KNOWN_LEAKS=known-leaks.json` and `LIFETIME_TRACER_LIMITS=connections=64,headerDeadline=2.5`, which
/// ``ServerLimits/init(list:)`` reads.
///
/// With `LIFETIME_TRACER_STACKS=1` the shared registry records creation stacks, and with
/// `LIFETIME_TRACER_RULES=rules.json` it has the rules of that file, with or without a server.
///
/// A failure never stops the program: one line on standard error says where the server listens, or why no server runs.
/// A server that the program starts for the same registry is this server: see ``TracerServer/start()``.
/// Programs that this one starts inherit the variables. The second one finds the port in use and says so; port 0 suits
/// both.
package enum Autostart {
    /// Parses the address in the value of the variable; `nil` if the value is empty or `off`.
    ///
    /// - Throws: ``ServerError`` with the code `invalidAddress`.
    package static func address(in value: String) throws(ServerError) -> ListenAddress? {
        if value.isEmpty || value.lowercased() == "off" { return nil }
        return try ListenAddress(value)
    }

    /// Starts a server from the variables, and returns a line for the user, if there is one.
    package static func start(
        address value: String, accessToken: String?, accessTokenFile: String? = nil, hosts: String? = nil,
        knownLeaks: String? = nil, limits: String? = nil
    ) -> String? {
        do throws(ServerError) {
            guard let address = try address(in: value) else { return nil }
            let environment = [AccessToken.variable: accessToken, AccessToken.fileVariable: accessTokenFile]
            let server = TracerServer(
                address: address, accessToken: try AccessToken.read(from: environment.compactMapValues(\.self)),
                allowedHosts: try AllowedHosts(list: hosts ?? "").names,
                knownLeaks: knownLeaks?.isEmpty == true ? nil : knownLeaks,
                limits: try ServerLimits(list: limits ?? ""))
            try server.start()
            started.withLock { $0 = Started(server: server, process: .current) }
            if case .unix = address { removeFileAtExit() }
            return server.url
        } catch let error where error.code == .invalidAddress {
            return "server not started, because LIFETIME_TRACER is \"\(value.printablePrefix)\": \(error)"
        } catch let error where error.code == .invalidHost {
            return "server not started, because LIFETIME_TRACER_HOSTS is \"\((hosts ?? "").printablePrefix)\": \(error)"
        } catch let error where error.code == .invalidKnownLeaks {
            return
                "server not started, because LIFETIME_TRACER_KNOWN_LEAKS is "
                + "\"\((knownLeaks ?? "").printablePrefix)\": \(error)"
        } catch let error where error.code == .invalidConfiguration {
            return
                "server not started, because LIFETIME_TRACER_LIMITS is \"\((limits ?? "").printablePrefix)\": \(error)"
        } catch {
            // The error names the address, which a command may have put into the variable.
            return "server not started: \(error)"
        }
    }

    /// Turns on creation stacks in the shared registry if the variable says so.
    ///
    /// - Returns: A line for the user if the value means neither yes nor no.
    package static func recordStacks(ifAskedBy value: String) -> String? {
        switch value.lowercased() {
        case "1", "on": LifetimeRegistry.shared.recordsCreationStacks = true
        case "", "0", "off": break
        default:
            return "creation stacks not recorded, because LIFETIME_TRACER_STACKS is \"\(value.printablePrefix)\": "
                + "use 1 to record creation stacks, or 0"
        }
        return nil
    }

    /// The server that the environment started in this process; `nil` in a fork child, which does not have its threads.
    static var server: TracerServer? {
        started.withLock { started in
            if let started, started.process == .current { started.server } else { nil }
        }
    }

    private struct Started: LockedState {
        let server: TracerServer
        let process: ForkGeneration
    }

    private static let started = Locked<Started?>(nil)

    /// Whether the start is under way; see ``startBeforeMain(_:)``.
    private static let isStarting = Monitor(false)

    /// The server that the environment started in this process, after its start has ended or the time is over.
    package static func server(waitingAtMost patience: Duration) -> TracerServer? {
        let deadline = ContinuousClock.now + patience
        isStarting.wait { isStarting in
            let left = deadline - .now
            return isStarting && left > .zero ? .waits(atMost: left) : .holds(())
        }
        return server
    }

    /// Registers an exit handler that removes the Unix socket's file, which otherwise would stay until the next start.
    ///
    /// The handler does not wait for the server's threads, so that the server never delays the program's exit.
    private static func removeFileAtExit() {
        atexit {
            // A fork child also runs this handler, but the file belongs to the parent.
            Autostart.server?.removeSocketFile()
        }
    }
}

extension Autostart {
    /// Does what the variables say.
    ///
    /// The program must not have other threads that change its environment.
    package static func readEnvironment() {
        // A program without the variables pays three look-ups, and no Swift value is made.
        // Stacks and rules come first, so that the server shows no instance without its stack, or against a rule.
        if let value = lt_environment_of_caller("LIFETIME_TRACER_STACKS"), value.pointee != 0 {
            recordStacksBeforeMain(String(cString: value))
        }
        if let path = lt_environment_of_caller("LIFETIME_TRACER_RULES"), path.pointee != 0 {
            EnvironmentRules.readBeforeMain(String(cString: path))
        }
        if let address = lt_environment_of_caller("LIFETIME_TRACER"), address.pointee != 0 {
            startBeforeMain(String(cString: address))
        }
    }

    /// Turns on creation stacks in the shared registry; `value` is that of `LIFETIME_TRACER_STACKS`.
    static func recordStacksBeforeMain(_ value: String) {
        if let line = recordStacks(ifAskedBy: value) { StandardError.writeLine(line) }
    }

    /// Starts a server; `address` is the value of `LIFETIME_TRACER`.
    ///
    /// The server is running when `main` begins, so that even a short program can be inspected. If the start takes
    /// longer than two seconds, the program continues, and the server starts when it is ready. A program that starts a
    /// server for another address in the meantime then has two.
    static func startBeforeMain(_ address: String) {
        func value(of name: String) -> String? { lt_environment_of_caller(name).map { String(cString: $0) } }
        let accessToken = value(of: AccessToken.variable)
        let accessTokenFile = value(of: AccessToken.fileVariable)
        let hosts = value(of: "LIFETIME_TRACER_HOSTS")
        let knownLeaks = value(of: "LIFETIME_TRACER_KNOWN_LEAKS")
        let limits = value(of: "LIFETIME_TRACER_LIMITS")
        let done = DispatchSemaphore(value: 0)
        isStarting.withLock { $0 = true }
        do throws(ThreadError) {
            let thread = try ServerThread.start(named: "tracer-start") {
                let line = start(
                    address: address, accessToken: accessToken, accessTokenFile: accessTokenFile, hosts: hosts,
                    knownLeaks: knownLeaks, limits: limits)
                if let line { StandardError.writeLine(line) }
                isStarting.withLock { $0 = false }
                done.signal()
            }
            if done.wait(timeout: .now() + 2) == .success {
                thread.join()
            } else {
                thread.detach()
            }
        } catch {
            isStarting.withLock { $0 = false }
            StandardError.writeLine("server not started: \(ServerError(error))")
        }
    }
}

/// The constructor that reads the environment: the loader calls each function of this section before `main`.
///
/// It is in the file of ``Autostart``, which every server refers to. So a program that is linked from archives contains
/// the constructor if it contains a server. The variables of a program with more rights than its caller are ignored.
#if canImport(Darwin)
@section("__DATA,__mod_init_func")
#else
@section(".init_array")
#endif
@used
private let readEnvironmentBeforeMain: @convention(c) () -> Void = {
    lt_call_with_runtime(
        { if !lt_start_is_left_to_agent() { Autostart.readEnvironment() } }, readEnvironmentBeforeMain)
}
