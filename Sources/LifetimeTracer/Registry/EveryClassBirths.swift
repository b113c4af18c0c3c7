import CLifetimeRuntime

/// The births and deaths of objects that do not store a handle, for the hooks of allocations.
///
/// All of them are recorded in the shared registry, whatever the scope of the task, because their classes know nothing
/// of registries.
package enum EveryClassBirths {
    /// The site of all instances: unknown.
    private static let site = SiteKey(file: "", line: 0)

    /// The key of the site, as births in C use it.
    package static var siteKey: UInt { site.file }

    /// Records a birth that lacks a resource; returns the handle.
    package static func complete(_ type: AnyClass) -> UInt64 {
        LifetimeRegistry.shared.store.recordBirth(of: type, at: site)
    }

    /// Whether the rules leave a class out, of which no birth has been recorded.
    package static func isLeftOut(_ type: AnyClass) -> Bool {
        LifetimeRegistry.shared.store.leavesOut(type)
    }

    /// Records a death that needs more than counting.
    package static func completeDeath(_ handle: UInt64) {
        InstanceStore.recordDeathInFull(handle)
    }
}
