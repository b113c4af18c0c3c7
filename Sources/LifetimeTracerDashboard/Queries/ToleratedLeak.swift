import RetainPaths

/// A leak that need not be reported: one of the file of known leaks, or one that somebody silenced while the process runs.
struct ToleratedLeak: Sendable {
    /// What it is known by.
    let subject: String
    /// Why it is tolerated.
    let reason: String
    /// The last day on which it is; `nil` for ever, or as long as the process runs.
    let expires: String?
    /// Whether it is forgotten with the process.
    let isSilenced: Bool

    init(_ leak: KnownLeak) {
        subject = leak.subject
        reason = leak.reason
        expires = leak.expires
        isSilenced = false
    }

    init(_ leak: SilencedLeaks.Leak) {
        subject = leak.fingerprint.description
        reason = leak.reason
        expires = nil
        isSilenced = true
    }
}
