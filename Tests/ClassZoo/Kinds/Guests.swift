import Foundation

/// Objects of a library that the program loads when it runs.
///
/// The library has a function `makeGuests`, which creates five objects and keeps three.
enum Guests {
    static func visit(_ path: String) {
        typealias Make = @convention(c) () -> Void
        // Loaded twice and closed once, so it stays.
        guard let library = dlopen(path, RTLD_NOW), dlopen(path, RTLD_NOW) == library else {
            return print("not loaded:", dlerror().map { String(cString: $0) } ?? "")
        }
        guard let address = dlsym(library, "makeGuests") else { return print("no function makeGuests") }
        // The cast is safe because the library declares the function so.
        let make = unsafeBitCast(address, to: Make.self)
        make()
        dlclose(library)
        make()
        // A library that the program does not need otherwise comes and goes.
        for _ in 0..<3 {
            guard let other = dlopen("libBrokenLocale.so.1", RTLD_NOW) else { return print("no other library") }
            make()
            dlclose(other)
        }
        make()
        expected.append(("Guest", 30, 18))
    }
}
