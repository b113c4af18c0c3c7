import Testing

@testable import RetainPaths

/// The expansion of mangled names: their lexemes without substitutions.
@Suite struct LayoutExpansionTests {
    private func expand(_ name: String) -> String? {
        NameExpansion.pieces(of: name).map { pieces in
            pieces.reduce(into: "") { text, piece in
                switch piece {
                case .text(let part): text += part
                case .nominal(let path, _):
                    text += "<\(path.names.joined(separator: "."))>"
                }
            }
        }
    }

    @Test(arguments: [
        ("15Synchronization5MutexVy4Demo4ItemCG", "<Synchronization.Mutex>y<Demo.Item>G"),
        // Substitutions for the module and then for the type.
        ("4Demo3BoxVyAA4ItemCG", "<Demo.Box>y<Demo.Item>G"),
        ("15Synchronization5MutexVy4Demo4ItemC_AFtG", "<Synchronization.Mutex>y<Demo.Item>_<Demo.Item>tG"),
        // A word of the first name is substituted in the second name.
        ("15Synchronization5MutexVy4Demo0B5StateVG", "<Synchronization.Mutex>y<Demo.MutexState>G"),
        ("15Synchronization5MutexVySDySS4Demo4ItemCGG", "<Synchronization.Mutex>ySDySS<Demo.Item>GG"),
        ("15Synchronization5MutexVySay4Demo4ItemCGSgG", "<Synchronization.Mutex>ySay<Demo.Item>GSgG"),
        ("15Synchronization5MutexVy4Demo5OuterV5InnerVG", "<Synchronization.Mutex>y<Demo.Outer.Inner>G"),
        ("15Synchronization5MutexVySSyYbcG", "<Synchronization.Mutex>ySSyYbcG"),
        ("15Synchronization5MutexVySi5count_SS4nametG", "<Synchronization.Mutex>ySi5count_SS4nametG"),
        ("15Synchronization5MutexVyxG", "<Synchronization.Mutex>yxG"),
        ("15Synchronization5MutexVys5Error_pSgG", "<Synchronization.Mutex>ys5Error_pSgG"),
        ("15Synchronization6AtomicVySbG", "<Synchronization.Atomic>ySbG"),
        ("4Demo5State33_0123456789ABCDEF0123456789ABCDEFLLV", "<Demo.State>"),
        ("4Demo3BoxVySi_SSG", "<Demo.Box>ySi_SSG"),
        ("ScS12ContinuationVy4Demo4ItemC_G", "ScS12ContinuationVy<Demo.Item>_G"),
    ])
    func substitutionsInMangledNamesAreExpanded(_ name: String, _ expected: String) {
        #expect(expand(name) == expected)
    }

    @Test(arguments: [
        "", "4Dem", "4DemoC", "A", "AA", "y", "4Demo4ItemCXw", "4Demo4ItemCG", "Qz", "yyIeg_", "4Demo00BV",
    ])
    func unsupportedMangledNameIsNotExpanded(_ name: String) {
        #expect(expand(name) == nil)
    }

    @Test func nominalTypesAreFoundByKindAndPath() throws {
        let types = NominalTypes()
        let module = try #require(Metadata(of: Planted.self).descriptor?.moduleName)
        #expect(
            types[.init(kind: .aClass, names: [module, "Planted"])] == Metadata(of: Planted.self).descriptor)
        #expect(types[.init(kind: .aStruct, names: [module, "Resource"])]?.name == "Resource")
        #expect(types[.init(kind: .aStruct, names: [module, "Planted"])] == nil)
        #expect(types[.init(kind: .aStruct, names: ["Synchronization", "Mutex"])]?.isGeneric == true)
    }
}
