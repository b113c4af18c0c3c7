#if os(Linux) && canImport(Glibc)
import Dispatch
import Glibc
import Testing

@testable import LifetimeTracer

// Each of these functions does different work at its end, because the optimiser merges equal functions into one without
// a name.

@inline(never)
private func knownFunction(_ number: Int) -> [UInt] {
    let addresses = returnAddresses()
    keepFrame()
    return addresses + [UInt(number)]
}

@inline(never)
private func genericFunction<Value>(_ value: Value) -> [UInt] {
    let addresses = returnAddresses()
    keepFrame()
    withExtendedLifetime(value) {}
    return addresses
}

private final class PrivateType {
    @inline(never)
    func method(_ number: Int, label: String) -> [UInt] {
        let addresses = returnAddresses()
        keepFrame()
        return addresses + [UInt(number), UInt(label.count)]
    }
}

/// Hides from the optimiser which closure is called.
@inline(never) @_optimize(none)
private func hidden(_ body: @escaping () -> [UInt]) -> () -> [UInt] { body }

/// The address of an exported C function.
private func address(of name: String, in handle: UnsafeMutableRawPointer? = nil) throws -> UInt {
    UInt(bitPattern: try #require(dlsym(handle, name)))
}

@Suite struct SymboliserTests {
    private let symboliser = Symboliser.shared

    private func names(_ addresses: [UInt]) -> [String] {
        symboliser.symbols(forReturnAddresses: addresses).map { $0?.name ?? "nil" }
    }

    @Test func swiftFunctionsHaveReadableNames() throws {
        #expect(names(knownFunction(1)).contains("knownFunction(_:)"))
        #expect(names(genericFunction("x")).contains { $0.hasSuffix("genericFunction<A>(_:)") })
        #expect(names(PrivateType().method(1, label: "x")).contains("PrivateType.method(_:label:)"))
        let closure = hidden {
            let addresses = returnAddresses()
            keepFrame()
            return addresses + addresses
        }()
        // The number of the closure is unknown, because the closures of the expectations above count, too.
        let place = " in SymboliserTests.swiftFunctionsHaveReadableNames()"
        #expect(names(closure).contains { $0.hasPrefix("closure #") && $0.hasSuffix(place) })
    }

    @Test func symbolHasNameModuleAndOffset() throws {
        let stack = symboliser.symbols(forReturnAddresses: knownFunction(1)).compactMap { $0 }
        let symbol = try #require(stack.first { $0.name == "knownFunction(_:)" })
        #expect(symbol.mangledName?.hasPrefix("$s19LifetimeTracerTests13knownFunction") == true)
        #expect(symbol.module == "LifetimeTracerPackageTests.xctest" && symbol.offset > 0)
        let exact = try #require(symboliser.symbol(at: address(of: "lfind")))
        #expect(exact.name == "lfind" && exact.mangledName == "lfind" && exact.offset == 0)
        #expect(exact.module.hasPrefix("libc.so") && exact.moduleOffset > 0)
        let inside = try #require(symboliser.symbol(at: address(of: "lfind") + 3))
        #expect(inside.name == "lfind" && inside.offset == 3 && inside.moduleOffset == exact.moduleOffset + 3)
    }

    @Test func returnAddressIsResolvedToThePrecedingCall() throws {
        let start = try address(of: "lfind")
        let found = try #require(symboliser.symbols(forReturnAddresses: [start + 1]).first ?? nil)
        #expect(found.name == "lfind" && found.offset == 1)
        let before = try #require(symboliser.symbols(forReturnAddresses: [start]).first ?? nil)
        #expect(before.name != "lfind")
    }

    @Test func addressOutsideCodeHasNoSymbol() {
        let heap = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { heap.deallocate() }
        for address in [0, 1, UInt(bitPattern: heap), .max] {
            #expect(symboliser.symbol(at: address) == nil)
        }
        #expect(symboliser.symbols(forReturnAddresses: [0, 1, .max]) == [nil, nil, nil])
    }

    @Test func concurrentLookupsFindTheSameSymbols() {
        let addresses = knownFunction(1) + PrivateType().method(1, label: "x") + genericFunction(1)
        let expected = symboliser.symbols(forReturnAddresses: addresses)
        let fresh = Symboliser()
        let answers = Locked<[[Symbol?]]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                let found = fresh.symbols(forReturnAddresses: addresses)
                answers.withLock { $0.append(found) }
            }
        }
        #expect(answers.withLock { $0 }.allSatisfy { $0 == expected })
        #expect(answers.withLock { $0.count } == 400 && expected.contains { $0 != nil })
    }

    @Test func symbolCacheStopsAtItsLimit() throws {
        var limits = SymbolLimits()
        limits.cachedAddresses = 4
        let small = Symboliser(limits: limits)
        #expect(small.statistics == SymboliserStatistics())
        let start = try address(of: "lfind")
        for offset in 0..<6 as Range<UInt> { #expect(small.symbol(at: start + offset)?.offset == offset) }
        #expect(small.symbol(at: start)?.name == "lfind")
        #expect(small.statistics.cachedAddresses == 4 && small.statistics.uncachedLookups == 2)
        #expect(small.statistics.tables == 1 && small.statistics.tableBytes > 0)
    }

    @Test func loaderResolvesSymbolsWithoutRoomForTables() throws {
        var limits = SymbolLimits()
        limits.tableBytes = 0
        let small = Symboliser(limits: limits)
        #expect(small.symbol(at: try address(of: "lfind"))?.name == "lfind")
        #expect(small.statistics.tables == 0 && small.statistics.tableBytes == 0)
        #expect(small.statistics.refusals.first?.hasPrefix("The symbols of 'libc.so") == true)
        limits.objects = 0
        let none = Symboliser(limits: limits)
        #expect(none.symbol(at: try address(of: "lfind")) == nil && none.statistics.unlistedObjects > 3)
    }
}

@Suite(.enabled(if: clang != nil)) struct LateLoadedLibraryTests {
    private static let source = """
        static __attribute__((noinline)) int inner(int x) { return x * 3; }
        void *tracer_test_inner(void) { return (void *)inner; }
        int tracer_test_outer(int x) { return inner(x) + 1; }
        """

    private typealias Inner = @convention(c) () -> UInt

    private func open(_ path: String) throws -> (handle: UnsafeMutableRawPointer, outer: UInt, inner: UInt) {
        let handle = try #require(dlopen(path, RTLD_NOW | RTLD_LOCAL))
        let inner = unsafeBitCast(try #require(dlsym(handle, "tracer_test_inner")), to: Inner.self)
        return (handle, try address(of: "tracer_test_outer", in: handle), inner())
    }

    @Test func libraryIsFoundAfterLoadAndForgottenAfterUnload() throws {
        let folder = try ScratchFolder()
        let path = try folder.library(Self.source, named: "later.so")
        let symboliser = Symboliser()
        #expect(symboliser.symbol(at: try address(of: "lfind"))?.name == "lfind")
        let library = try open(path)
        #expect(symboliser.symbol(at: library.outer)?.name == "tracer_test_outer")
        #expect(symboliser.symbol(at: library.inner)?.name == "inner")
        #expect(symboliser.symbol(at: library.inner)?.module == "later.so")
        let tables = symboliser.statistics.tables
        dlclose(library.handle)
        #expect(symboliser.symbol(at: library.inner) == nil)
        #expect(symboliser.statistics.tables == tables - 1)
    }

    @Test func aStrippedLibraryHasItsExportedNames() throws {
        let folder = try ScratchFolder()
        let library = try open(try folder.library(Self.source, named: "stripped.so", options: ["-s"]))
        defer { dlclose(library.handle) }
        let symboliser = Symboliser()
        #expect(symboliser.symbol(at: library.outer)?.name == "tracer_test_outer")
        let inner = try #require(symboliser.symbol(at: library.inner))
        #expect(inner.name == "stripped.so+0x\(String(inner.moduleOffset, radix: 16))" && inner.mangledName == nil)
        let next = try #require(symboliser.symbols(forReturnAddresses: [library.inner + 1])[0])
        #expect(next.moduleOffset == inner.moduleOffset + 1 && next.name != inner.name && next.offset == 0)
    }

    @Test(arguments: [["-Wl,--build-id=sha1"], ["-Wl,--build-id=none"]])
    func localSymbolsOfAnotherBuildsFileAreNotUsed(options: [String]) throws {
        let folder = try ScratchFolder()
        let library = try open(try folder.library(Self.source, named: "replaced.so", options: options))
        defer { dlclose(library.handle) }
        let other = "int before(int x) { return x / 7 % 5; }\n" + Self.source
        _ = try folder.library(other, named: "replaced.so", options: options)
        let symboliser = Symboliser()
        #expect(symboliser.symbol(at: library.outer)?.name == "tracer_test_outer")
        #expect(symboliser.symbol(at: library.inner)?.mangledName == nil)
        #expect(symboliser.statistics.refusals.contains { $0.contains("is not the build that the program loaded") })
    }

    @Test func differentBuildIDIsRefusedAsAnotherBuild() throws {
        let folder = try ScratchFolder()
        let path = try folder.library(Self.source, named: "identified.so", options: ["-Wl,--build-id=sha1"])
        let library = try open(path)
        defer { dlclose(library.handle) }
        let loaded = LoadedObjects(atMost: 4_096)
        let identity = try #require(loaded.identities.first { $0.path == path })
        let buildID = try #require(identity.buildID)
        #expect(buildID.bytes.count == 20)
        try ElfSymbols(path: path).check(isBuildOf: identity)

        var note: [UInt8] = [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 0x47, 0x4E, 0x55, 0] + buildID.bytes
        #expect(note.withUnsafeBytes { BuildID(inNotes: $0, alignment: 4) } == buildID)
        note[20] ^= 1
        let foreign = ObjectIdentity(
            path: path, bias: identity.bias, programHeaders: identity.programHeaders,
            buildID: note.withUnsafeBytes { BuildID(inNotes: $0, alignment: 4) }, segments: identity.segments)
        #expect(throws: UnusableSymbols.self) { try ElfSymbols(path: path).check(isBuildOf: foreign) }
        for length in note.indices {
            #expect(note[..<length].withUnsafeBytes { BuildID(inNotes: $0, alignment: 4) } == nil)
        }
    }
}
#endif
