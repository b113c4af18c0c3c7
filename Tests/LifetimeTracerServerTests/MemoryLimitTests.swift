import ForkTesting
import Glibc
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// A program whose address space is limited.
    @Suite struct MemoryLimitTests {
        // A sanitizer maps terabytes, and ends the program if it is refused more.
        @Test(.enabled(if: !Sanitizer.isPresent)) func aStartThatWouldLeaveTooLittleMemoryIsRefused() async {
            // In a process of its own: the limit is one for all.
            await #expect(processExitsWith: .success) {
                // What is allocated once for the life of the process is allocated before.
                try TestServer().server.stop()
                var limit = rlimit()
                try #require(getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
                var lowered = limit
                lowered.rlim_cur = rlim_t((ProcessTable.addressSpace << 10) + (16 << 20))
                let server = TracerServer(address: "127.0.0.1:0")
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &lowered) == 0)
                let refusal = #expect(throws: ServerError.self) { try server.start() }
                setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
                #expect(refusal?.code == .outOfResources)
                #expect(
                    refusal?.message
                        == "cannot serve 127.0.0.1:0: the tracer's threads would leave the program too little memory.")
                #expect(refusal?.hint.contains("MALLOC_ARENA_MAX=1") == true)
                #expect(refusal?.hint.contains("The address space of the program is limited to ") == true)
                try server.start()
                server.stop()
            }
        }
    }
}
