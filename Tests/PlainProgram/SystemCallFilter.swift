#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A program that gives up system calls before its work, as those in a sandbox do.
enum SystemCallFilter {
    /// The numbers of clone, clone3 and openat.
    #if arch(x86_64)
    private static let calls: [UInt64] = [56, 435, 257]
    #else
    private static let calls: [UInt64] = [220, 435, 56]
    #endif

    // `nonisolated(unsafe)` is safe because the main thread alone uses the array.
    nonisolated(unsafe) private static var cards: [PlainCard] = []

    /// Creates many objects in quick succession, while the system kills the process if this thread starts a thread or
    /// opens a file.
    static func allocateWithoutThreads() {
        let isFiltered = install()
        for number in 0..<400_000 {
            if cards.count < 5 { cards.append(PlainCard(number)) } else { cards[number % 5] = PlainCard(number) }
        }
        print("filtered", isFiltered, cards.count)
    }

    /// Installs a filter for this thread; returns whether the system has allowed that.
    private static func install() -> Bool {
        // Instructions of classic BPF (linux/filter.h): the code, two relative targets of a jump, and an operand.
        func instruction(_ code: UInt64, _ ifTrue: UInt64, _ ifFalse: UInt64, _ operand: UInt64) -> UInt64 {
            code | ifTrue << 16 | ifFalse << 24 | operand << 32
        }
        // The number of the call, at the start of the data.
        var program = [instruction(0x20, 0, 0, 0)]
        for call in calls {
            program += [instruction(0x15, 0, 1, call), instruction(0x06, 0, 0, 0x8000_0000)]
        }
        program.append(instruction(0x06, 0, 0, 0x7FFF_0000))
        guard let symbol = dlsym(nil, "prctl") else { return false }
        // Safe: all arguments behind the first one are words.
        let prctl = unsafeBitCast(symbol, to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self)
        let (setNoNewPrivileges, setFilter, filterMode): (Int32, Int32, UInt) = (38, 22, 2)
        return program.withUnsafeBufferPointer { instructions in
            // The number of instructions, in a word of its own, and their address.
            let description = [UInt(instructions.count), UInt(bitPattern: instructions.baseAddress)]
            // Safe: the system copies the instructions before the call returns.
            return description.withUnsafeBufferPointer { description in
                prctl(setNoNewPrivileges, 1, 0, 0, 0) == 0
                    && prctl(setFilter, filterMode, UInt(bitPattern: description.baseAddress), 0, 0) == 0
            }
        }
    }
}
