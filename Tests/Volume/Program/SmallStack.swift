import Glibc

/// Releases an object on a thread with a small stack.
enum SmallStack {
    /// The only holder of the object.
    ///
    /// `@unchecked Sendable` is safe because only the thread uses the holder while it runs.
    final class Holder: @unchecked Sendable {
        fileprivate(set) var object: AnyObject?

        init(_ object: AnyObject) {
            self.object = object
        }
    }

    /// Releases the object on the thread, and returns when the thread has ended.
    static func letGo(_ holder: Holder, stackSize: Int) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        let refusal = pthread_attr_setstacksize(&attributes, stackSize)
        precondition(refusal == 0, "pthread_attr_setstacksize: error \(refusal)")
        var thread = pthread_t()
        // Not retained: the thread ends before this function returns.
        let context = Unmanaged.passUnretained(holder).toOpaque()
        let failure = pthread_create(&thread, &attributes, { emptyHolder($0) }, context)
        precondition(failure == 0, "pthread_create: error \(failure)")
        pthread_join(thread, nil)
    }
}

/// The thread's start function.
///
/// It is a free function, because it must not inherit an actor's isolation.
private func emptyHolder(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<SmallStack.Holder>.fromOpaque(context).takeUnretainedValue().object = nil
    return nil
}
