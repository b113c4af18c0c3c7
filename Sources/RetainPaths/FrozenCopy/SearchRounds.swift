import LifetimeTracer

/// What the next copy of a search does: whether it is a preview, and whether it may request layouts.
///
/// A preview lists only samples of a large heap. It takes a fraction of the time of a whole copy, and meets most types
/// that have no layout yet. Its request for layouts is answered like that of a whole copy.
struct SearchRounds {
    /// The number of copies after which a copy may no longer request layouts.
    ///
    /// It then searches without the missing ones.
    private static let limit = 8
    /// The number of copies after which none is a preview any more.
    private static let previewLimit = 5
    /// The bytes of each part of the heap that a preview lists; smaller parts are listed entirely.
    ///
    /// Enough for the objects that a program makes when it starts, and for those of the tracer.
    private static let previewBytes: UInt64 = 6 << 20

    /// Whether the next search probably meets new types: it is the first, or the latest one has met some.
    private static let expectsNewTypes = Locked(true)

    private var areLayoutsMissing = true
    private var requests = 0
    private var isPreview: Bool
    private let bytes: UInt64

    /// Creates the rounds of a search.
    init() {
        self.init(isPreview: Self.expectsNewTypes.withLock { $0 }, bytes: Self.previewBytes)
    }

    /// Creates the rounds of a search that starts with a preview, or with a whole copy.
    init(isPreview: Bool, bytes: UInt64) {
        self.isPreview = isPreview
        self.bytes = bytes
    }

    /// Whether the next copy must search without the layouts that are missing.
    var isLast: Bool { !areLayoutsMissing || requests + 1 >= Self.limit }

    /// The bytes of each part of the heap that the next copy lists; 0 for all.
    var bytesOfPreview: UInt64 { isPreview ? bytes : 0 }

    /// Records a copy's request for layouts.
    ///
    /// - Parameter areNew: Whether it requested a layout that no earlier copy did.
    mutating func requestedLayouts(areNew: Bool) {
        requests += 1
        if isPreview {
            isPreview = areNew && requests + 1 < Self.previewLimit
        } else {
            areLayoutsMissing = areNew
        }
    }

    /// Records that a preview missed no layout.
    mutating func finishedPreview() {
        isPreview = false
    }

    /// Records the end of the search.
    func finish() {
        Self.expectsNewTypes.withLock { $0 = requests > 0 }
    }
}
