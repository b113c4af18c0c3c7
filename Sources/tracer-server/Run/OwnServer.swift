import CTracerSystem

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Keeps this process from starting a server for `LIFETIME_TRACER`, which is meant for the program that `run` starts.
///
/// The loader calls this function before the library's constructor, because of its place in the list and its priority,
/// and passes it the arguments of `main`.
#if os(Linux)
@section(".init_array.00101")
@used
private let leaveServerToTheProgram: @convention(c) (CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Void =
    { count, words in
        if count > 1, let word = words[1], strcmp(word, "run") == 0 { lt_leave_start_to_agent() }
    }
#endif
