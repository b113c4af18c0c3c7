/// How long a test waits for an event before it calls the event missing.
///
/// A limit for hangs, not for speed: a machine with much other work, or a sanitizer, may need a good part of it.
package enum Patience {
    /// In whole seconds, for calls of the system.
    package static let seconds = 180

    /// The same as a duration.
    package static let limit = Duration.seconds(seconds)
}
