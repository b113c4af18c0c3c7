#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The variables that the symbols of a loaded object describe.
@Suite(.disabledUnderSanitizers) struct VariablePlacesTests {
    @Test(
        arguments: [
            // Parts of a variable that LLVM has split.
            ("$s1a4pair33_EFF83A1F47B777EA672D48C97C71346FLLSi_AA1SCSgtvp.0", VariableNames.Kind.partOfValue),
            ("$s1a1KO3tab33_EFF83A1F47B777EA672D48C97C71346FLLAA1EVvpZ.1", .partOfValue),
            ("$s1a4viewAA1P_pSgvp.0", .ofSwift), ("$s1a4calladyycSgvp.1", .ofSwift),
            ("$s3try5StoreO5countSivpZ.0", .nothing), ("$s3try4LeafCMf.12", .nothing),
            ("$s1a4pair33_EFF83A1F47B777EA672D48C97C71346FLLSi_AA1SCSgtvp", .typedValue),
            ("$s2ab4listSayAA1SCGvpZ", .typed), ("$s2ab5firstAA1SCSgvpZ", .typed),
            // Symbols of an unknown kind exclude nothing.
            ("$s3try4LeafCQq9", .ofSwift), ("$s3try4LeafC4name_Wz", .nothing),
            ("$sScsMI", .metadataTable), ("$ss6_DequeVyxGSlsMcMK", .metadataTable), ("$s3try4LeafCMl", .metadataTable),
            ("$s3try4LeafCMn", .nothing),
            ("_dispatch_timers_heap", .pendingWork(isInTransit: false)),
            ("_dispatch_main_q", .pendingWork(isInTransit: false)),
            ("_dispatch_mgr_q", .pendingWork(isInTransit: true)),
            ("_dispatch_root_queues", .pendingWork(isInTransit: true)),
            ("_dispatch_unfair_lock", .ofDispatch), ("_NSConcreteMallocBlock", .heapBlockClass), ("environ", .ofC),
        ])
    func variableKindIsDerivedFromSymbolName(name: String, kind: VariableNames.Kind) {
        #expect(Array(name.utf8).withUnsafeBytes { VariableNames.kind(of: $0) } == kind)
    }

    @Test func aPartOfAVariableHasTheVariablesName() {
        let name = "$s1a1KO3tab33_EFF83A1F47B777EA672D48C97C71346FLLAA1EVvpZ"
        func root(_ mangled: String) -> RootName {
            RootName(
                HeapNames.NamedAddress(
                    name: Demangler.readableName(of: mangled), mangledName: mangled, module: "a", offset: 0))
        }
        #expect(root("\(name).1").text == root(name).text)
        #expect(root("\(name).1").isSwiftVariable)
    }

    /// The symbol of a class alias inside its metadata has the size of the metadata, and extends into the next
    /// variable.
    @Test func classAliasDoesNotExcludeTheNextVariable() {
        let metadata: Range<UInt> = 0x1000..<0x1060
        let places = VariablePlaces(
            [(metadata, .nothing), (0x1010..<0x1070, .nothing), (0x1060..<0x1068, .ofSwift)], isMixed: false)
        #expect(places.excluded.allSatisfy { $0.upperBound <= 0x1060 })
        #expect(places.excluded.contains { $0.contains(0x1058) })
        // The same if the variable has no symbol.
        let unnamed = VariablePlaces([(metadata, .nothing), (0x1010..<0x1070, .nothing)], isMixed: false)
        #expect(!unnamed.excluded.contains { $0.contains(0x1060) })
        let words = VariablePlaces.Exclusions(claimed: 14, behindMetadata: 2, ofOtherVariables: 0)
        #expect(unnamed.exclusions == words && places.exclusions == words && words.excluded == 12)
    }

    @Test func symbolSizeDoesNotExcludeOverlappingVariable() {
        let places = VariablePlaces(
            [
                (0x2000..<0x2100, .nothing), (0x2040..<0x2048, .ofC), (0x2060..<0x2068, .partOfValue),
                (0x2070..<0x2080, .typedValue), (0x2080..<0x2088, .typedValue), (0x20f8..<0x2110, .ofSwift),
            ], isMixed: false)
        #expect(places.excluded == [0x2000..<0x2040, 0x2048..<0x2060, 0x2068..<0x2070, 0x2088..<0x20f8])
        #expect(places.typed == [0x2070..<0x2080, 0x2080..<0x2088])
        #expect(
            places.named == [0x2080..<0x2088, 0x20f8..<0x2110],
            "a variable of C, or a property of a struct, may own nothing")
        #expect(places.exclusions == .init(claimed: 32, behindMetadata: 0, ofOtherVariables: 6))
    }

    /// In all loaded objects, no word of a variable that may hold a reference is excluded.
    @Test func noVariableWithReferencesIsExcluded() throws {
        for object in LoadedVariables.ofAllObjects() {
            let isInRuntime = object.path.hasSuffix("/libswiftCore.so")
            let variables = try object.writableVariables { VariableNames.kind(of: $0, isInRuntime: isInRuntime) }
            let places = VariablePlaces(variables, isMixed: false)
            let excluded = places.excluded
            // Each excluded word is in a symbol that holds nothing. Each other word of such symbols has a reason.
            #expect(places.exclusions.excluded == VariablePlaces.words(in: excluded), "\(places.exclusions)")
            let kinds: [VariableNames.Kind] = [.nothing, .metadataTable]
            let nothing = variables.filter { kinds.contains($0.kind) }.map(\.range)
            #expect(
                VariablePlaces.removing(VariablePlaces.union(of: nothing), from: excluded).isEmpty, "\(object.path)")
            let taken = variables.filter { !kinds.contains($0.kind) }.map(\.range)
            let reasons = places.exclusions
            #expect(reasons.ofOtherVariables <= taken.reduce(0) { $0 + VariablePlaces.words(in: [$1]) }, "\(reasons)")
            #expect(zip(excluded, excluded.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound })
            for (range, kind) in variables where !(kinds + [.heapBlockClass]).contains(kind) {
                let hidden = excluded.first { $0.overlaps(range) }
                #expect(hidden == nil, "\(object.path) at \(range)")
            }
        }
    }
}
#endif
