import CBenchmarks

/// A class whose instances are created and released in large numbers.
///
/// Each class has two Int fields, so that all classes do the same work except for tracing. `make` is never inlined: the
/// compiler might allocate an object on the stack, or remove it, if one function creates and releases it.
protocol Subject: AnyObject, SendableMetatype {
    static func make(_ value: Int) -> Self
}

/// Creates an object and releases it.
@inline(__always)
func makeAndRelease<S: Subject>(_: S.Type, _ value: Int) {
    let object = S.make(value)
    bench_keep(Unmanaged.passUnretained(object).toOpaque())
}

/// Runs pairs of init and deinit one after the other, with no other live object.
///
/// Uses a `while` loop, because a range costs several calls per iteration in a debug build, which would make all ratios
/// look small.
@inline(never)
func hotPairs<S: Subject>(_: S.Type, _ count: Int) {
    var index = 0
    while index < count {
        makeAndRelease(S.self, index)
        index &+= 1
    }
}
