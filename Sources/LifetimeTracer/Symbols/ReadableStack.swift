/// Makes a symbolised stack readable: removes the tracer's frames, thunks, and the start of the program or thread.
package enum ReadableStack {
    /// Trims a stack, the innermost frame first.
    ///
    /// Removes unknown addresses, and the tracer's frames at the top. Removes the frames of the C library and the
    /// loader at the bottom, below `main` or a thread's first function. Removes an allocating initializer directly
    /// below its initializer, and thunks that only call the frame above them. If no frame would be left, only the
    /// unknown addresses are removed.
    package static func trimmed(_ stack: [Symbol?]) -> [Symbol] {
        let known = stack.compactMap { $0 }
        var frames = known.drop(while: isTracerFrame)
        while let last = frames.last, isRuntimeStart(last) { frames.removeLast() }
        var kept: [Symbol] = []
        for frame in frames where !isFolded(frame, into: kept.last) { kept.append(frame) }
        return kept.isEmpty ? known : kept
    }

    /// Whether a frame belongs to the tracer, including its C functions.
    ///
    /// A function in another module's extension of the tracer's types does not belong to it, nor does a subclass's
    /// initializer.
    package static func isTracerFrame(_ symbol: Symbol) -> Bool {
        guard let mangled = symbol.mangledName else { return false }
        if mangled.hasPrefix("lt_") || mangled.hasPrefix("__wrap_swift_") { return true }
        // A mangled module name is preceded by its length, so no other module has the same prefix.
        guard mangled.hasPrefix("$s14LifetimeTracer") else { return false }
        return Demangler.fullName(of: mangled)?.contains("(extension in ") != true
    }

    /// Whether a frame belongs to the system's start of a program or a thread.
    package static func isRuntimeStart(_ symbol: Symbol) -> Bool {
        if let mangled = symbol.mangledName { return runtimeStarts.contains(mangled) }
        // A stripped C library has no names for its internal functions, one of which calls `main`.
        return ["libc.so", "libc-", "libpthread", "ld-linux", "ld-musl"].contains { symbol.module.hasPrefix($0) }
    }

    // glibc: csu/libc-start.c, nptl/pthread_create.c, clone3.S. musl: src/env/__libc_start_main.c, src/thread. Darwin:
    // dyld and libsystem_pthread. And the functions of ThreadSanitizer.
    private static let runtimeStarts: Set<String> = [
        "_start", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main", "start_thread", "clone",
        "__clone",
        "clone3", "__clone3", "__clone_internal", "thread_start", "_start_c", "libc_start_main_stage2", "start",
        "_pthread_start", "__tsan_thread_start_func",
    ]

    private static func isFolded(_ frame: Symbol, into inner: Symbol?) -> Bool {
        guard let mangled = frame.mangledName, Demangler.isSwift(mangled) else { return false }
        // The last letters of a mangled name are the kind of the entity (docs/ABI/Mangling.rst). TR: a reabstraction
        // thunk.
        if mangled.hasSuffix("TR") || mangled.hasSuffix("TRTA") { return inner != nil }
        guard let inner, let innerMangled = inner.mangledName else { return false }
        // fC: an allocating initializer, fc: the initializer that it calls. TA: a partial application, which adds the
        // context.
        if mangled.hasSuffix("fC") {
            return mangled.dropLast() == innerMangled.dropLast() && innerMangled.hasSuffix("fc")
        }
        return mangled.hasSuffix("TA") && mangled.dropLast(2) == innerMangled
    }
}
