// A library that the zoo loads when it runs. A test compiles it.

final class Guest {
    let number: Int
    init(_ number: Int) { self.number = number }
}

// `nonisolated(unsafe)` is safe because one thread of the program calls the function.
nonisolated(unsafe) private var kept: [Guest] = []

/// Creates five objects, and keeps three.
@_cdecl("makeGuests") public func makeGuests() {
    let guests = (0..<5).map { Guest($0) }
    kept += guests.dropFirst(2)
}
