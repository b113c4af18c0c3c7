// A program that is built with AddressSanitizer. With an argument, it loses a block, which LeakSanitizer reports.

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@main enum Sanitized {
    static func main() {
        if CommandLine.arguments.count > 1 { lose() }
        print("the last words")
    }

    @inline(never)
    private static func lose() {
        guard let block = malloc(1_234) else { return }
        // The block is used, so that the compiler keeps it.
        block.storeBytes(of: 1, as: UInt8.self)
    }
}
