internal import LifetimeTracer

private let lastSeen = Locked<UInt>(0)

/// Makes an object escape, so that the compiler allocates it on the heap and not on the stack.
@inline(never)
public func letBeSeen(_ object: AnyObject) {
    // The address is inverted, so that it does not look like a reference.
    lastSeen.withLock { $0 = ~UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
}
