import CBenchmarks

/// A class whose instances are made and released by the thousand.
///
/// Each has two Int fields, so that all do the same apart from what traces them. `make` is never inlined: an object that is
/// made and released in one function might be put on the stack or left out.
protocol Subject: AnyObject, SendableMetatype {
    static func make(_ value: Int) -> Self
}

/// Makes an object and lets it go.
@inline(__always)
func makeAndRelease<S: Subject>(_: S.Type, _ value: Int) {
    let object = S.make(value)
    bench_keep(Unmanaged.passUnretained(object).toOpaque())
}

/// Pairs of init and deinit with nothing else live, one after the other.
///
/// A `while` loop, because a range costs several calls a turn in a debug build, which would make all ratios look small.
@inline(never)
func hotPairs<S: Subject>(_: S.Type, _ count: Int) {
    var index = 0
    while index < count {
        makeAndRelease(S.self, index)
        index &+= 1
    }
}
