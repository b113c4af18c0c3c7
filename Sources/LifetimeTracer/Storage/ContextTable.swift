import CLifetimeRuntime

/// The contexts of a registry: each is a type, its creation site and its creation stack.
///
/// Has no lock of its own: it is part of the registry's ``Catalog``. Births look contexts up without a lock, in a hash
/// table to which entries are only ever added. A table that is too small is replaced, and freed with the registry.
struct ContextTable: Sendable {
    /// A context in Swift types.
    struct Entry: Sendable {
        let type: TypeIndex
        let site: SourceSite
        /// The return addresses, innermost first.
        let stack: [UInt]
        fileprivate let index: UInt32
    }

    /// The contexts by position.
    private(set) var entries: [Entry] = []
    /// The number of births whose context could not be added.
    private(set) var dropped = 0
    /// The number of births whose creation stack could not be added.
    private(set) var droppedStacks = 0

    private let owner: RegistryCore
    private let limit: Int
    private let stackLimit: Int
    private var stackCount = 0
    private var tables: [Table] = []
    private static let indices = Locked(IndexPool(0..<1 << UInt32(LT_CONTEXT_BITS)))

    /// `@unchecked Sendable` is safe because slots are written only through the atomic accesses of `CLifetimeRuntime`,
    /// under the catalog's lock.
    private struct Table: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<lt_context_table>
    }

    init(of registry: RegistryCore, limit: Int, stackLimit: Int) {
        owner = registry
        self.limit = limit
        self.stackLimit = stackLimit
    }

    /// Returns the context of a type, a site and a stack, and creates it on first use.
    ///
    /// - Returns: The context, which stays valid while the registry lives; `nil` if the table is full.
    mutating func context(
        for type: Any.Type, at site: SiteKey, stack: lt_stack?, typeIndex: TypeIndex, slot: UInt32
    ) -> UnsafeMutablePointer<lt_context>? {
        let metatype = UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type)))
        let hash = stack?.hash ?? 0
        let lineAndStack = UInt64(site.line) | hash
        let file = UnsafeRawPointer(bitPattern: site.file)
        if let known = lt_find_context(owner.pointer, metatype, file, lineAndStack) { return known }
        if hash != 0, stackCount >= stackLimit {
            droppedStacks += 1
            return context(for: type, at: site, stack: nil, typeIndex: typeIndex, slot: slot)
        }
        let contents = lt_context(
            metatype: metatype, file: file, line_and_stack: lineAndStack, registry: owner.pointer, type: slot,
            position: UInt32(entries.count), index: 0, wide_type: 0, count_offset: 0)
        guard entries.count < limit, let index = Self.indices.withLock({ $0.take() }) else {
            dropped += 1
            return nil
        }
        guard let made = lt_make_context(index, contents) else {
            Self.indices.withLock { $0.giveBack([index]) }
            dropped += 1
            return nil
        }
        let addresses = hash == 0 ? [] : stack?.list ?? []
        entries.append(Entry(type: typeIndex, site: site.site, stack: addresses, index: index))
        if hash != 0 { stackCount += 1 }
        publish(made)
        return made
    }

    /// Adds a context that tells births to leave a type out, whatever their creation stack.
    ///
    /// If the table is full, each birth asks the table of types.
    mutating func leaveOut(_ type: Any.Type, at site: SiteKey) {
        _ = context(for: type, at: site, stack: nil, typeIndex: .leftOut, slot: UInt32(LT_NO_TYPE))
    }

    /// Frees all contexts and tables.
    ///
    /// No instance of the registry may be live, and no thread may be looking up a context.
    func free() {
        Self.indices.withLock { $0.giveBack(entries.lazy.map(\.index)) }
        for table in tables { table.pointer.deallocate() }
    }

    private mutating func publish(_ context: UnsafeMutablePointer<lt_context>) {
        if let table = tables.last?.pointer, entries.count * 4 <= Int(table.pointee.mask) {
            lt_publish_context(table, context)
            return
        }
        let size = max(64, 8 * entries.count).roundedUpToPowerOfTwo
        let bytes = MemoryLayout<lt_context_table>.size + size * MemoryLayout<UnsafeRawPointer>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: bytes, alignment: MemoryLayout<lt_context_table>.alignment)
        let table = memory.bindMemory(to: lt_context_table.self, capacity: 1)
        lt_clear_table(table, UInt32(size - 1))
        for entry in entries { lt_publish_context(table, lt_context_at(entry.index)) }
        // Births that still read the former table find its entries, so it stays until the registry is freed.
        tables.append(Table(pointer: table))
        lt_publish_table(owner.pointer, table)
    }
}

extension Int {
    fileprivate var roundedUpToPowerOfTwo: Int {
        var power = 1
        while power < self { power *= 2 }
        return power
    }
}

extension lt_stack {
    /// The return addresses.
    var list: [UInt] {
        withUnsafeBytes(of: addresses) { Array($0.bindMemory(to: UInt.self).prefix(Int(count))) }
    }
}
