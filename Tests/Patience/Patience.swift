/// The longest time that a test waits for an event.
///
/// This limit detects hangs; it does not test speed. A busy machine, or a sanitizer, may need a good part of it.
package enum Patience {
    /// The limit in whole seconds, for system calls.
    package static let seconds = 400

    /// The limit as a duration.
    package static let limit = Duration.seconds(seconds)
}
