import Testing

@testable import RetainPaths

/// The parts of mangled names: the elements of tuples, and the arguments of generic types.
@Suite struct NameOperandTests {
    private func text(_ name: MangledName) -> String { String(decoding: name.bytes, as: UTF8.self) }

    @Test(arguments: [
        ("SS4name_Ieg_t", ["name:SS", "1:Ieg_"]), ("Si_SSSgt", ["0:Si", "1:SSSg"]),
        ("SiSSIegyo_5first_Sit", ["first:SiSSIegyo_", "1:Si"]),
        ("xRi_zRi0_zlySiIsegn__4Demo4ListVyxGt", ["0:xRi_zRi0_zlySiIsegn_", "1:4Demo4ListVyxG"]),
        ("SaySiG4list_s5Error_pt", ["list:SaySiG", "1:s5Error_p"]),
        ("yp_SDySSSiG3mapt", ["0:yp", "map:SDySSSiG"]), ("yt_Si_SSt4pairt", ["0:yt", "pair:Si_SSt"]),
        ("4Demo6ScreenC6screen_Sit", ["screen:4Demo6ScreenC", "1:Si"]),
        ("Sim4type_4Demo6ScreenCSgXw4weakt", ["type:Sim", "weak:4Demo6ScreenCSgXw"]),
    ])
    func tupleIsSplitIntoElements(_ name: String, elements: [String]) {
        let found = LayoutNameTests.name(name).tupleElements
        #expect(found?.map { "\($0.label):\(text($0.type))" } == elements)
    }

    /// Names that are no tuples, that have substitutions, that are damaged, or of which an operator is not known.
    @Test(arguments: [
        "Si", "SaySiG", "SS4name_ACt", "S2S_t", "_t", "t", "Si4name_", "7ElementQz_Sit", "xxQp_t",
        "SiyycG_t", "y_Sit", "Si_Si_t", "SiSSIsegyo_5first_Sit", "xlSiIsegn__Sit", "4name_Sit",
    ])
    func otherNamesHaveNoTupleElements(_ name: String) {
        #expect(LayoutNameTests.name(name).tupleElements?.map(\.label) == nil)
    }

    @Test(arguments: [
        ("4Demo6ParserVySbG", ["Sb"]), ("4Demo4PairVySSSaySiGG", ["SS", "SaySiG"]), ("4Demo4PairVyxq_G", ["x", "q_"]),
    ])
    func genericTypeIsSplitIntoArguments(_ name: String, arguments: [String]) {
        #expect(LayoutNameTests.name(name).genericArguments?.map(text) == arguments)
    }

    @Test(arguments: ["Si", "4Demo6ParserV", "4Demo5OuterVySi_G", "4Demo5OuterVySi_SbG", "4Demo6ParserVyADG", "SiG"])
    func otherNamesHaveNoGenericArguments(_ name: String) {
        #expect(LayoutNameTests.name(name).genericArguments?.count == nil)
    }

    @Test(arguments: [
        "15Synchronization5MutexVy4Demo5StateVG", "l15Synchronization5MutexVySaySiGG",
        "s8SendableRzl15Synchronization5MutexVy4Demo7ChannelC5StateOyx_GG", "SHRzr0_l15Synchronization5MutexVyq_G",
    ])
    func typeBehindItsGenericSignatureIsFound(_ text: String) throws {
        let pieces = try #require(AccessorNames.pieces(ofTypeBehindSignature: text[...]))
        guard case .nominal(let path, _)? = pieces.first else {
            Issue.record("\(pieces)")
            return
        }
        #expect(path.names == ["Synchronization", "Mutex"])
    }

    @Test(arguments: ["", "l", "s8SendableRzl", "SHRzr0_q_"])
    func signatureAloneIsNoType(_ text: String) {
        #expect(AccessorNames.pieces(ofTypeBehindSignature: text[...]) == nil)
    }

    @Test func wrappedTypeAndFunctionsAreReadFromTheName() {
        #expect(LayoutNameTests.name("SSSg").wrapped.map(text) == "SS")
        #expect(LayoutNameTests.name("SS").wrapped?.count == nil)
        for function in ["yyc", "SiSSYaKc", "yyYbScMYcc", "q_yc"] {
            #expect(LayoutNameTests.name(function).isFunction)
        }
        // A closure that is on the stack, one of C, and a differentiable function.
        for other in ["yyXE", "yyXC", "yyXB", "S2fYjrc", "Si", ""] {
            #expect(!LayoutNameTests.name(other).isFunction)
        }
    }
}
