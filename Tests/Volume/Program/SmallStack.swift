import Glibc

/// A thread with a small stack, on which an object is let go.
enum SmallStack {
    /// Holds the object, and nothing else does.
    ///
    /// `@unchecked Sendable` is safe because the thread alone uses it while it runs.
    final class Holder: @unchecked Sendable {
        fileprivate(set) var object: AnyObject?

        init(_ object: AnyObject) {
            self.object = object
        }
    }

    /// Lets go of an object there, and returns when that is done.
    static func letGo(_ holder: Holder, stackSize: Int) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        let refusal = pthread_attr_setstacksize(&attributes, stackSize)
        precondition(refusal == 0, "pthread_attr_setstacksize: error \(refusal)")
        var thread = pthread_t()
        // Not retained: the thread is over before this returns.
        let context = Unmanaged.passUnretained(holder).toOpaque()
        let failure = pthread_create(&thread, &attributes, { emptyHolder($0) }, context)
        precondition(failure == 0, "pthread_create: error \(failure)")
        pthread_join(thread, nil)
    }
}

/// Where the thread starts; a free function, because it must not inherit anyone's isolation.
private func emptyHolder(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<SmallStack.Holder>.fromOpaque(context).takeUnretainedValue().object = nil
    return nil
}
