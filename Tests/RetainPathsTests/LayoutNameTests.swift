import Testing

@testable import RetainPaths

/// The classification of mangled names without the runtime.
@Suite struct LayoutNameTests {
    /// Creates a mangled name in memory that is never freed, like the names of a program.
    static func name(_ text: String) -> MangledName {
        let bytes = Array(text.utf8)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 8)
        memory.initialize(repeating: 0, count: bytes.count + 8)
        memory.update(from: bytes, count: bytes.count)
        return MangledName(start: memory, count: bytes.count)
    }

    private func shape(_ text: String, isBound: Bool = true, hasPacks: Bool = false) -> NameShape {
        Self.name(text).shape(isBound: { _ in isBound }, hasPacks: hasPacks)
    }

    @Test(arguments: [
        ("Si", 1), ("SaySiG", 4), ("SDySSSiG", 5), ("4Demo6ScreenC", 3), ("x", 1), ("qd__", 1), ("qd_0_", 1),
        ("q_", 1), ("q12_", 1), ("7ElementQz", 2), ("7ElementQyd__", 2), ("yyIeg_", 3), ("SiIegyd_Sg", 3),
        ("s5Error_p", 4), ("4Demo04MainA0V3fooC", 5), ("Bi64_", 1), ("$3_", 1), ("$n3_", 1), ("ScA_p", 3), ("yXl", 2),
        ("AaBC", 2), ("S2i", 1), ("q_z_x_q_RlzCSzR_r0_lXX", 11), ("xRi_zrlXX", 4), ("xSgs8SendableRzlXX", 7),
    ])
    func mangledNameIsSplitIntoLexemes(_ text: String, count: Int) {
        #expect(NameLexemes.lexemes(of: Self.name(text))?.count == count)
    }

    @Test func operatorLettersInIdentifiersAreNotOperators() {
        // "Ieg_" and "Qz" are letters of identifiers here.
        #expect(shape("4Demo5Ieg_QC") == .type)
        #expect(shape("4Demo7QzQyIeXV") == .type)
    }

    @Test(arguments: ["4Dem", "SaySiG9", "B", "S", "A", "q", "$", "X", "Ieg", "99999999999999999999a", "Q", "Bi64"])
    func incompleteMangledNameIsRefusedAsDamaged(_ text: String) {
        #expect(shape(text) == .refused(.damaged))
    }

    @Test func mangledNamesAreClassifiedWithoutTheRuntime() {
        #expect(shape("SayxG", isBound: false) == .reference)
        #expect(shape("SDyxq_GSg", isBound: false) == .reference)
        #expect(shape("yyIeg_") == .function(isEscaping: true, isOptional: false))
        #expect(shape("7ElementQzAAIegnr_", isBound: false) == .function(isEscaping: true, isOptional: false))
        #expect(shape("yyIeg_Sg") == .function(isEscaping: true, isOptional: true))
        #expect(shape("yyIeAgh_") == .function(isEscaping: true, isOptional: false))
        #expect(shape("yyIg_") == .function(isEscaping: false, isOptional: false))
        #expect(shape("SiSSIetyo_") == .plainWord)
        #expect(shape("yyIeyB_") == .block)
        #expect(shape("SiXMt") == .nothing)
        #expect(shape("4Demo6ScreenCSgXwz_Xx") == .reference)
        #expect(shape("yXl") == .reference)
    }

    @Test func namesUnsafeForTheRuntimeAreRefused() {
        #expect(shape("SayyyIeg_G") == .reference)
        #expect(shape("SiyyIeg_t") == .refused(.loweredFunction))
        #expect(shape("7ElementQzIegr_Si_t") == .refused(.loweredFunction))
        #expect(shape("SiSgXwz_XxSi_t") == .refused(.box))
        #expect(shape("xSg", isBound: false) == .refused(.unboundParameter))
        #expect(shape("7ElementQz", isBound: false) == .refused(.unboundParameter))
        #expect(shape("xxQp_t") == .refused(.unboundPack))
        #expect(shape("xxQp_t", hasPacks: true) == .type)
        // A type with a written-out pack is not affected.
        #expect(shape("4Demo9PredicateVySi_QPG") == .type)
        #expect(shape(String(repeating: "Say", count: 2_000)) == .refused(.damaged))
    }

    @Test func symbolicReferenceInMangledNameIsOneLexeme() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
        // A relative reference that contains zero bytes and an `I`, followed by the end of the name.
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 16)
        for (index, byte) in [0x01, 0x49, 0, 0, 0x65, 0x53, 0x67].enumerated() {
            memory.storeBytes(of: UInt8(byte), toByteOffset: index, as: UInt8.self)
        }
        let name = MangledName(UnsafeRawPointer(memory))
        #expect(name.count == 7)
        #expect(NameLexemes.lexemes(of: name)?.map(\.kind) == [.reference(1), .other("Sg")])
    }

    @Test func ownershipIsReadFromSuffixOfMangledName() {
        #expect(Self.name("4Demo6ScreenCSgXw").ownership?.0 == .weak)
        #expect(Self.name("4Demo6ScreenCXo").ownership?.1.count == 13)
        #expect(Self.name("4Demo6ScreenCXu").ownership?.0 == .unmanaged)
        #expect(Self.name("yXl").ownership == nil)
    }
}
