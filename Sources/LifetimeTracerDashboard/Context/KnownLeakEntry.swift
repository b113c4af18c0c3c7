import RetainPaths

/// A known leak: from the file of known leaks, or acknowledged while the process runs.
struct KnownLeakEntry: Sendable {
    /// The subject of the entry in the file, or the fingerprint of an acknowledged leak.
    let subject: String
    /// The reason why the leak is accepted.
    let reason: String
    /// The last day on which the entry applies; `nil` if the entry never expires.
    ///
    /// An acknowledgement lasts until the process ends.
    let expires: String?
    /// Whether the leak was acknowledged while the process runs.
    let isAcknowledged: Bool

    init(_ leak: KnownLeak) {
        subject = leak.subject
        reason = leak.reason
        expires = leak.expires
        isAcknowledged = false
    }

    init(_ leak: AcknowledgedLeaks.Leak) {
        subject = leak.fingerprint.description
        reason = leak.reason
        expires = nil
        isAcknowledged = true
    }
}
