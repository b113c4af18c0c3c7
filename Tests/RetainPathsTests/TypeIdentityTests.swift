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

    /// Types, all different, whose metadata the runtime makes, with the words of the metadata.
    private static let types: [(type: Any.Type, words: Int)] = [
        (Optional<[Int]>.self, 3), (Pair<Int, [String]>.self, 4), (Pair<[String], Int>.self, 4),
        ((Int, [String]).self, 7), (((Int) -> [String]).self, 4), ((any CustomStringConvertible & Error).self, 4),
        ((any Sequence<Int>).self, 3), ((any Sequence<[Int]>).self, 3), ((any Source<Int, [String]>).self, 4),
        ((any Source<[String], Int>).self, 4), ((any Source<Int, [String]>)?.self, 3), (List<Int, [String]>.self, 4),
        (List<[String], Int>.self, 4), (List<Int>.self, 4), (List<Int, String, Bool>.self, 4),
        (Pair<List<Int>, Int>.self, 4), ([Int].Type.self, 2),
    ]

    /// A copy of a type's metadata at another address.
    ///
    /// The copy is never freed, as metadata is never freed.
    private func copy(of metadata: Metadata, words: Int) -> Metadata {
        // The witnesses precede the metadata.
        let bytes = (words + 1) * wordSize
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        // Safe: the metadata has that many words.
        copy.copyMemory(from: metadata.pointer - wordSize, byteCount: bytes)
        return Metadata(UnsafeRawPointer(copy) + wordSize)
    }

    @Test(arguments: types.indices) func typeHasTheSameIdentityAtAnotherAddress(index: Int) {
        let (type, words) = Self.types[index]
        let metadata = Metadata(of: type)
        var identities = TypeIdentities()
        #expect(identities.identity(of: copy(of: metadata, words: words)) == identities.identity(of: metadata))
    }

    @Test func differentTypesHaveDifferentIdentities() {
        var identities = TypeIdentities()
        let all = Self.types.map { identities.identity(of: Metadata(of: $0.type)) }
        #expect(Set(all).count == all.count)
    }
}
