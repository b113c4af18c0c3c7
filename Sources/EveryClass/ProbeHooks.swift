import CEveryClass

/// Hooks for the probe's objects alone, which count births and deaths and record nothing.
struct ProbeHooks: Sendable {
    /// Installs the hooks for a class whose instances may have tails; returns whether they could be installed.
    let install: @Sendable (_ metadata: UnsafeRawPointer, _ haveTails: Bool) -> Bool
    /// Removes the hooks; returns what they have seen.
    let remove: @Sendable () -> lt_probe

    /// The hooks in the image that contains this code.
    static let inOwnImage = ProbeHooks(install: lt_probe_begin, remove: lt_probe_end)

    /// Creates objects and releases them; returns a text if the hooks count other numbers.
    ///
    /// - Parameters:
    ///   - haveTails: Whether instances are longer than their class says.
    ///   - create: Creates the objects, and puts them into `HookProbe.kept`.
    func compare(
        _ kind: String, of type: AnyClass, births: ClosedRange<UInt64>, haveTails: Bool = false, _ create: () -> Void
    ) -> String? {
        let haveTails = haveTails || lt_probed_class(type).is_buffer
        guard install(metadata(of: type), haveTails) else {
            return "the tables of the tracer's own image cannot be changed"
        }
        create()
        let isTrailed = haveTails || HookProbe.kept.allSatisfy { lt_probe_has_trailer(address(of: $0)) }
        HookProbe.kept.removeAll()
        let seen = remove()
        guard births.contains(seen.births), seen.deaths == seen.births else {
            return
                "of \(births.upperBound) births and deaths of \(kind), the hooks see \(seen.births) and \(seen.deaths)"
        }
        return isTrailed ? nil : "an instance of \(kind) has no trailer"
    }

    private func address(of object: AnyObject) -> UnsafeRawPointer {
        // Safe: `kept` holds the object while the address is used.
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}
