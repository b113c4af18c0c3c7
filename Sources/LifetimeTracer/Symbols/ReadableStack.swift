/// A symbolised stack as people read it: without the tracer's own frames, thunks, and what starts a program or thread.
package enum ReadableStack {
    /// Trims a stack, the innermost frame first.
    ///
    /// What goes: the tracer's frames at the top; the frames of the C library and the loader at the bottom, below `main` or a
    /// thread's first function; an allocating initializer above which its initializer stands; thunks that only pass on to
    /// the frame above them; and addresses of which nothing is known. A stack of which nothing would be left comes back
    /// as it is.
    package static func trimmed(_ stack: [Symbol?]) -> [Symbol] {
        let known = stack.compactMap { $0 }
        var frames = known.drop(while: isTracerFrame)
        while let last = frames.last, isRuntimeStart(last) { frames.removeLast() }
        var kept: [Symbol] = []
        for frame in frames where !isFolded(frame, into: kept.last) { kept.append(frame) }
        return kept.isEmpty ? known : kept
    }

    /// Whether a frame is the tracer's own: its functions, and those that it has in C.
    ///
    /// An extension of the tracer's types in another module is not, nor is an initializer of a subclass.
    package static func isTracerFrame(_ symbol: Symbol) -> Bool {
        guard let mangled = symbol.mangledName else { return false }
        if mangled.hasPrefix("lt_") { return true }
        // A module is written with the length of its name, so no other begins the same.
        guard mangled.hasPrefix("$s14LifetimeTracer") else { return false }
        return Demangler.fullName(of: mangled)?.contains("(extension in ") != true
    }

    /// Whether a frame is one in which the system starts a program or a thread.
    package static func isRuntimeStart(_ symbol: Symbol) -> Bool {
        if let mangled = symbol.mangledName { return runtimeStarts.contains(mangled) }
        // A stripped C library does not tell the names of its inner functions, and calls `main` from one.
        return ["libc.so", "libc-", "libpthread", "ld-linux", "ld-musl"].contains { symbol.module.hasPrefix($0) }
    }

    // glibc: csu/libc-start.c, nptl/pthread_create.c, clone3.S. musl: src/env/__libc_start_main.c, src/thread. Darwin: dyld
    // and libsystem_pthread. And ThreadSanitizer's.
    private static let runtimeStarts: Set<String> = [
        "_start", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main", "start_thread", "clone",
        "__clone",
        "clone3", "__clone3", "__clone_internal", "thread_start", "_start_c", "libc_start_main_stage2", "start",
        "_pthread_start", "__tsan_thread_start_func",
    ]

    private static func isFolded(_ frame: Symbol, into inner: Symbol?) -> Bool {
        guard let mangled = frame.mangledName, Demangler.isSwift(mangled) else { return false }
        // The last letters of a mangled name are the kind of the entity (docs/ABI/Mangling.rst). TR: a reabstraction thunk.
        if mangled.hasSuffix("TR") || mangled.hasSuffix("TRTA") { return inner != nil }
        guard let inner, let innerMangled = inner.mangledName else { return false }
        // fC: an allocating initializer, fc: the initializer that it calls. TA: a partial application, which adds the context.
        if mangled.hasSuffix("fC") {
            return mangled.dropLast() == innerMangled.dropLast() && innerMangled.hasSuffix("fc")
        }
        return mangled.hasSuffix("TA") && mangled.dropLast(2) == innerMangled
    }
}
