internal import LifetimeTracer

private let lastSeen = Locked<UInt>(0)

/// Lets the compiler believe that an object is seen elsewhere, so that it is made in the heap and not on the stack.
@inline(never)
public func letBeSeen(_ object: AnyObject) {
    // Inverted: it is no reference.
    lastSeen.withLock { $0 = ~UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
}
