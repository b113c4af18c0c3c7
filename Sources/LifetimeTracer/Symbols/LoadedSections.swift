/// Finds sections of the loaded objects by name, which the loader does not know.
package enum LoadedSections {
    /// Returns the ranges of all loaded sections with a name, in addresses of the process.
    ///
    /// Reads the section table of each file, some kilobytes. Objects whose file is missing or is another build are left
    /// out. The result is empty except on 64-bit Linux.
    package static func named(_ name: String) -> [Range<UInt>] {
        #if os(Linux) && _pointerBitWidth(_64)
        LoadedObjects(atMost: SymbolLimits().objects).identities.flatMap { identity -> [Range<UInt>] in
            do throws(UnusableSymbols) {
                let file = try ElfSymbols(path: identity.path.isEmpty ? "/proc/self/exe" : identity.path)
                try file.check(isBuildOf: identity)
                return try file.ranges(ofSectionsNamed: name).compactMap { range in
                    let start = identity.bias &+ UInt(range.lowerBound)
                    let section = start..<start &+ UInt(range.upperBound - range.lowerBound)
                    // Only sections that are in memory.
                    return identity.segments.contains { $0.contains(section) } ? section : nil
                }
            } catch {
                return []
            }
        }
        #else
        []
        #endif
    }
}
