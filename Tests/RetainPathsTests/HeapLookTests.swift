#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import ForkTesting
import Glibc
import LifetimeTracer
import Patience
import Testing
import TracerBase

@testable import RetainPaths

// The types of the planted leaks. No other test makes instances of them.

private final class LookedAtDocument: @unchecked Sendable, LockedState {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var pages: [LookedAtPage] = []
}

private final class LookedAtPage: Sendable {
    let document: LookedAtDocument
    init(_ document: LookedAtDocument) { self.document = document }
}

/// A class that the runtime initializes at its first use, because a library's type decides on its layout.
private final class LookedAtReader {
    var continuation: AsyncStream<Int>.Continuation?
}

/// The looks at several copies of the process, which only leaks survive.
@Suite(.disabledUnderSanitizers) struct HeapLookTests {
    /// Holds documents in the tests.
    private static let shelf = Locked<[LookedAtDocument]>([])

    /// The number of leaked documents, with a closure that runs between the looks.
    private static func documents(betweenLooks body: @escaping @Sendable () -> Void = {}) async -> Int? {
        let askers = AskingTask.current.map { [$0] } ?? []
        return try? await RetainPaths.onSearchThread { _ in
            var budget = SearchBudget(Patience.limit)
            let search = try LeakSearch.run(
                Engine.patient, by: askers, within: &budget, SearchObserver(), betweenLooks: body)
            demand(search.obstacle == nil, "\(search)")
            let naming = LineNaming(names: .process, libraryModules: [])
            let leaks = LeakNaming(lines: naming, options: Engine.patient, today: SystemClock().wallNow().day)
            return leaks.leaks(search).all.filter { $0.name == "LookedAtDocument" }.reduce(0) { $0 + $1.count }
        }
    }

    @inline(never)
    private static func plantDocument(pages: Int) {
        let document = LookedAtDocument()
        document.pages = (0..<pages).map { _ in LookedAtPage(document) }
        Self.shelf.withLock { $0.append(document) }
    }

    @Test func objectThatOnlyTheSecondLookMissesIsNoLeak() async {
        await #expect(processExitsWith: .success) {
            // Another leak makes sure that there is a second look.
            Self.leakDocument()
            Self.plantDocument(pages: 2)
            let early = await Self.documents { Self.shelf.withLock { $0 = [] } }
            demand(early == 1, "\(String(describing: early)); one was in use at the first look")
            let late = await Self.documents()
            demand(late == 2, "\(String(describing: late)); it is leaked by now")
        }
    }

    @Test func objectThatIsFoundAfterTwoLooksIsNoLeak() async {
        await #expect(processExitsWith: .success) {
            Self.plantDocument(pages: 0)
            // A reference that the search does not find, as in a register. Balanced below, at the third look.
            let hidden = Self.shelf.withLock { ~UInt(bitPattern: Unmanaged.passRetained($0[0]).toOpaque()) }
            Self.shelf.withLock { $0 = [] }
            let looks = Locked(0)
            let unused = await Self.documents { looks.withLock { $0 += 1 } }
            demand(unused == 1 && looks.withLock(\.self) == 3, "\(String(describing: unused))")
            looks.withLock { $0 = 0 }
            let used = await Self.documents {
                let look = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                guard look == 2, let place = UnsafeRawPointer(bitPattern: ~hidden) else { return }
                // Balances the retain.
                let document = Unmanaged<LookedAtDocument>.fromOpaque(place).takeRetainedValue()
                Self.shelf.withLock { $0.append(document) }
            }
            demand(used == 0, "\(String(describing: used)); it was found in use at the third look")
        }
    }

    @Test func objectThatIsUsedBetweenTheLooksIsNoLeak() async {
        await #expect(processExitsWith: .success) {
            Self.leakDocument()
            Self.plantDocument(pages: 2)
            let hidden = Self.shelf.withLock { Engine.inverted($0[0]) }
            Self.shelf.withLock { $0 = [] }
            let unused = await Self.documents()
            demand(unused == 2, "\(String(describing: unused))")
            // An additional reference that the search does not find changes the reference count.
            let used = await Self.documents {
                guard let place = UnsafeRawPointer(bitPattern: UInt(~hidden)) else { return }
                _ = Unmanaged<LookedAtDocument>.fromOpaque(place).retain()
            }
            demand(used == 1, "\(String(describing: used)); one was used between the looks")
        }
    }

    /// Writes the address of the document on the shelf into unused words: behind the runtime's tables of metadata, and
    /// behind its states of types.
    ///
    /// - Returns: The numbers of tables and states with such a word.
    private static func noteDocumentBehindMetadata() throws -> (tables: Int, states: Int) {
        // Safe without a retain: the shelf holds the document, and nothing reads the words as references.
        let address = Self.shelf.withLock { UInt(bitPattern: Unmanaged.passUnretained($0[0]).toOpaque()) }
        var counts = (tables: 0, states: 0)
        demand(!String(describing: LookedAtReader.self).isEmpty)
        for table in try ProcessImage.current().metadataTables {
            // Safe: the second word of a table is NULL or the address of memory from malloc, which begins with its
            // capacity in elements of one word. Nothing uses the memory behind these.
            guard let table = UnsafeRawPointer(bitPattern: table.start),
                let elements = table.load(fromByteOffset: 8, as: UnsafeMutableRawPointer?.self)
            else { continue }
            // The second word of a state, of 16 bytes, is the type's metadata, as is the variable's first word.
            let metadata = table.load(as: UInt.self)
            let isState = metadata != 0 && elements.load(fromByteOffset: 8, as: UInt.self) == metadata
            let end = isState ? 16 : 8 + Int(elements.load(as: UInt32.self)) * 8
            guard end + 8 <= rp_usable_size(elements) else { continue }
            elements.storeBytes(of: address, toByteOffset: end, as: UInt.self)
            if isState { counts.states += 1 } else { counts.tables += 1 }
        }
        return counts
    }

    /// An object of a certain cycle would be a leak in any case.
    @Test func unusedWordBehindMetadataHidesNoLeak() async {
        await #expect(processExitsWith: .success) {
            Self.plantDocument(pages: 0)
            let counts = try Self.noteDocumentBehindMetadata()
            // Never balanced: the document is over-retained until the process ends.
            Self.shelf.withLock { _ = Unmanaged.passRetained($0[0]) }
            Self.shelf.withLock { $0 = [] }
            // Only a whole capture looks into the tables.
            let graph = try await HeapGraph.capture(options: Engine.patient)
            let leaked = graph.leaks.all.filter { $0.name == "LookedAtDocument" }
            demand(counts.tables > 0 && counts.states > 0, "\(counts)")
            demand(leaked.map(\.count) == [1], "\(leaked), \(counts)")
        }
    }

    /// Allocates memory with a text of less than 16 bytes, and with the address of the document on the shelf behind it.
    private static func noteDocument(behind text: StaticString) -> UnsafeMutablePointer<UInt> {
        // Never freed: the process ends.
        let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 3)
        memory.initialize(repeating: 0, count: 3)
        memcpy(memory, text.utf8Start, text.utf8CodeUnitCount)
        // Safe without a retain: the shelf holds the document, and nothing reads the word as a reference.
        memory[2] = Self.shelf.withLock { UInt(bitPattern: Unmanaged.passUnretained($0[0]).toOpaque()) }
        // Never balanced: the document is over-retained until the process ends.
        Self.shelf.withLock { _ = Unmanaged.passRetained($0[0]) }
        Self.shelf.withLock { $0 = [] }
        return memory
    }

    /// malloc has memory of 24 bytes for a text of 14 bytes.
    @Test func unusedWordBehindATextHidesNoLeak() async {
        await #expect(processExitsWith: .success) {
            Self.plantDocument(pages: 0)
            let memory = Self.noteDocument(behind: "shelf.document")
            let leaked = await Self.documents()
            demand(leaked == 1, "\(String(describing: leaked)); the memory is at \(memory)")
        }
    }

    /// Memory of the same size that contains more than a text may use its last word.
    @Test func wordBehindOtherBytesIsInUse() async {
        await #expect(processExitsWith: .success) {
            Self.plantDocument(pages: 0)
            // Numbers and addresses may consist of such bytes.
            let memory = Self.noteDocument(behind: "sh\u{e9}lf.document")
            let leaked = await Self.documents()
            demand(leaked == 0, "\(String(describing: leaked)); the memory is at \(memory)")
        }
    }

    /// Writes an address into tens of KiB of the calling thread's stack below the caller's frame.
    @inline(never)
    private static func leaveOnStack(_ inverted: UInt, levels: Int = 48) {
        withUnsafeTemporaryAllocation(of: UInt.self, capacity: 120) { words in
            words.initialize(repeating: ~inverted)
            // The compiler must assume that the words are read.
            withExtendedLifetime(words.baseAddress) { if levels > 0 { leaveOnStack(inverted, levels: levels - 1) } }
        }
    }

    /// What the search thread does between two copies leaves words on its stack.
    @Test func staleWordOnTheSearchThreadHidesNoLeak() async {
        await #expect(processExitsWith: .success) {
            Self.plantDocument(pages: 0)
            // Never balanced: the document is over-retained until the process ends.
            let hidden = Self.shelf.withLock { ~UInt(bitPattern: Unmanaged.passRetained($0[0]).toOpaque()) }
            Self.shelf.withLock { $0 = [] }
            let leaked = await Self.documents { Self.leaveOnStack(hidden) }
            demand(leaked == 1, "\(String(describing: leaked)); stale words on the stack count as references")
        }
    }

    /// The shelf is empty before and after.
    private static func leakDocument() {
        // An optimised build makes no objects that nothing has ever held.
        Self.plantDocument(pages: 2)
        Self.shelf.withLock { $0 = [] }
    }
}
#endif
