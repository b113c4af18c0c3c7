#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Testing

@testable import RetainPaths

/// The layouts of structs that are put together without metadata equal those from the metadata.
@Suite(.disabledUnderSanitizers) struct DescribedStructTests {
    /// Compiles in the test's own process, as in a throwaway process.
    private func withCompiler<Result>(_ body: (LayoutCompiler) throws -> Result) throws -> Result {
        let memory = try #require(rp_make_trial())
        defer { rp_free_trial(memory) }
        let compiler = LayoutCompiler()
        compiler.resolver.mode = .trial(TrialJournal(memory))
        return try body(compiler)
    }

    private func contents(_ type: Any.Type, _ compiler: LayoutCompiler) -> FieldContents? {
        guard let name = _mangledTypeName(type), let pieces = NameExpansion.pieces(of: name) else { return nil }
        return compiler.describedStruct(compiler.accessorNames.makeName(pieces), in: .none, depth: 0)
    }

    @Test(
        arguments: [
            DescribedPoint.self, DescribedMixed.self, DescribedPair<Int8, DescribedPoint>.self,
            DescribedPair<String, [Int]>.self, DescribedPair<DescribedPair<UInt8, Bool>, Int32?>.self,
            DescribedOwner<DescribedScreen>.self, DescribedClosures<Int>.self,
        ] as [Any.Type])
    func layoutEqualsThatOfTheMetadata(_ type: Any.Type) throws {
        try withCompiler { compiler in
            let described = try #require(contents(type, compiler))
            let layout = compiler.value(Metadata(of: type), depth: 0)
            #expect(described.size == layout.size && described.alignment == layout.alignment)
            #expect(!described.isPartlyConservative && !layout.isPartlyConservative)
            // The layout from the metadata also lists words of plain data.
            let places = { (slots: [Slot]) in
                slots.filter { $0.kind != .plain }.map { "\($0.offset) \($0.kind) \($0.name)" }
            }
            #expect(places(described.slots) == places(layout.slots))
        }
    }

    @Test func optionalOfOneReferenceOrFunctionHasItsLayout() throws {
        try withCompiler { compiler in
            let described = try #require(contents(DescribedPair<Void, DescribedScreen>?.self, compiler))
            #expect(described.slots.map(\.kind) == [.strong] && described.size == 8)
            let function = try #require(contents(DescribedFunction<Bool>?.self, compiler))
            #expect(function.slots.map(\.name) == ["run"] && function.size == 16)
            // Which word tells that another optional is nil is in the metadata alone.
            #expect(contents(DescribedPair<String, DescribedScreen>?.self, compiler)?.size == nil)
        }
    }

    @Test func typesOtherThanStructsAndUnknownPropertiesHaveNoDescribedLayout() throws {
        try withCompiler { compiler in
            let types: [Any.Type] = [
                DescribedScreen.self, DescribedCase.self, Int?.self, (Int, Int).self, DescribedMember<[Int]>.self,
            ]
            for type in types {
                #expect(contents(type, compiler)?.size == nil, "\(type)")
            }
        }
    }
}

final class DescribedScreen {
    let number = 1
}

enum DescribedCase {
    case none
    case screen(DescribedScreen)
}

struct DescribedPoint {
    let x = 1.5
    let isSet = true
    let owner: DescribedScreen
    weak var other: DescribedScreen?
}

struct DescribedMixed {
    let small: UInt8 = 1
    let text: String
    let flag = false
    let state: DescribedCase
    let any: Any
    let point: DescribedPoint
    let run: () -> Void
    unowned let parent: DescribedScreen
}

struct DescribedPair<First, Second> {
    let first: First
    let second: Second
}

struct DescribedOwner<Owner: AnyObject> {
    let isSet = true
    let owner: Owner
    let others: [Owner]
}

struct DescribedFunction<Output> {
    let run: (Substring) -> Output?
}

struct DescribedClosures<Value> {
    let read: () -> Value
    let written: ((Value) async throws -> Void)?
    let value: Value
}

/// A struct whose property has an associated type.
struct DescribedMember<Elements: Collection> {
    let first: Elements.Element
}
#endif
