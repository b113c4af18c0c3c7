/// Finds the sections of the loaded objects by their names, which the loader does not know.
package enum LoadedSections {
    /// Where the sections with a name lie in the process, those of all loaded objects.
    ///
    /// Reads the table of sections from each file, some kilobytes; objects whose file is gone or another build have none. Elsewhere than
    /// on 64-bit Linux there are none.
    package static func named(_ name: String) -> [Range<UInt>] {
        #if os(Linux) && _pointerBitWidth(_64)
        LoadedObjects(atMost: SymbolLimits().objects).identities.flatMap { identity -> [Range<UInt>] in
            do throws(UnusableSymbols) {
                let file = try ElfSymbols(path: identity.path.isEmpty ? "/proc/self/exe" : identity.path)
                try file.check(isBuildOf: identity)
                return try file.ranges(ofSectionsNamed: name).compactMap { range in
                    let start = identity.bias &+ UInt(range.lowerBound)
                    let section = start..<start &+ UInt(range.upperBound - range.lowerBound)
                    // Only what is in memory.
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
