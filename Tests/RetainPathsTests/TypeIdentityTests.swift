import Testing

@testable import RetainPaths

/// The numbers of types that the runtime makes at one address in the program and at another in a throwaway process.
@Suite struct TypeIdentityTests {
    private protocol Source<Item, Failure> {
        associatedtype Item
        associatedtype Failure
    }

    private struct Pair<First, Second> {}
    private struct List<each Element> {}

    /// Types, all different, whose metadata the runtime makes.
    private static let types: [Any.Type] = [
        Optional<[Int]>.self, Pair<Int, [String]>.self, Pair<[String], Int>.self, (Int, [String]).self,
        ((Int) -> [String]).self, (any CustomStringConvertible & Error).self, (any Sequence<Int>).self,
        (any Sequence<[Int]>).self, (any Source<Int, [String]>).self, (any Source<[String], Int>).self,
        (any Source<Int, [String]>)?.self, List<Int, [String]>.self, List<[String], Int>.self, List<Int>.self,
        List<Int, String, Bool>.self, Pair<List<Int>, Int>.self, [Int].Type.self,
    ]

    /// A copy of a type's metadata at another address.
    ///
    /// The copy is never freed, as metadata is never freed.
    private func copy(of metadata: Metadata) -> Metadata {
        // More than the metadata of these types; the witnesses precede it.
        let count = 16
        let words = UnsafeMutableRawPointer.allocate(byteCount: (count + 1) * wordSize, alignment: 16)
        words.copyMemory(from: metadata.pointer - wordSize, byteCount: (count + 1) * wordSize)
        return Metadata(UnsafeRawPointer(words) + wordSize)
    }

    @Test(arguments: types.indices) func typeHasTheSameIdentityAtAnotherAddress(index: Int) {
        let metadata = Metadata(of: Self.types[index])
        var identities = TypeIdentities()
        #expect(identities.identity(of: copy(of: metadata)) == identities.identity(of: metadata))
    }

    @Test func differentTypesHaveDifferentIdentities() {
        var identities = TypeIdentities()
        let all = Self.types.map { identities.identity(of: Metadata(of: $0)) }
        #expect(Set(all).count == all.count)
    }
}
