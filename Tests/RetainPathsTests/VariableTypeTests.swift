#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The references that the symbol of a global or static variable describes.
@Suite(.disabledUnderSanitizers) struct VariableTypeTests {
    private static let discriminator = "33_8CC290D01A98D2866F487ABF00E545A7LL"

    @Test(
        arguments: [
            ("$s1b4globAA6ScreenCvp", "1b6ScreenC"),
            ("$s1b5globs\(discriminator)SayAA6ScreenCGvp", "Say1b6ScreenCG"),
            ("$s1b1NO1eSDySSSayyycGGvpZ", "SDySSSayyycGG"),
            // Marker protocols, which the runtime does not know.
            ("$s1b1NO1fs8Sendable_pvpZ", "yp"),
            ("$s1b1NO1fs8Sendable_AA1PpvpZ", "1b1P_p"),
            ("$s1b1NO1fSH_s8SendablepvpZ", "SH_p"),
            ("$s1b1NO1fSH_s8SendableAA1QpSgvpZ", "SH_1b1QpSg"),
            ("$s1b1NO1fs8Sendable_XlSgvpZ", "yXlSg"),
            ("$s1b1NO1fSDySSs8Sendable_pGvpZ", "SDySSypG"),
            ("$s1b1NO1fSH_AA1PpvpZ", "SH_1b1Pp"),
            (
                "$s1b1NO1iSi6number_s9UnmanagedVyAA6ScreenCGSg6screentvpZ",
                "Si6number_s9UnmanagedVy1b6ScreenCGSg6screent"
            ),
            ("$s1b1NO1ks6ResultOyAA6ScreenCs5Error_pGSgvpZ", "s6ResultOy1b6ScreenCs5Error_pGSg"),
            ("$s1b1NO1dAA6ScreenCSiYaYbKScMYccSgvpZ", "1b6ScreenCSiYaYbKScMYccSg"),
            // Types with a parameter pack.
            ("$s1b1NO1qAA4PackVySi_SSQPGvpZ", "1b4PackVySi_SSQPG"), ("$s1b1NO1qAA4PackVyyQPGvpZ", "1b4PackVyyQPG"),
            // A nested type of the variable's type, and a variable in an extension.
            ("$s1b1NO1p\(discriminator)AC1PVvpZ", "1b1NO1PV"),
            ("$sSS1bE4statAA6ScreenCSgvpZ", "1b6ScreenCSg"),
        ])
    func variableTypeIsReadFromSymbolName(symbol: String, type: String) throws {
        let pieces = try #require(NameExpansion.pieces(ofTypeOfVariable: symbol))
        let text = pieces.map { piece in
            switch piece {
            case .text(let text), .nominal(_, let text): text
            }
        }
        #expect(text.joined() == type)
    }

    @Test(
        arguments: [
            ("$s1b3HubC6shared_WZTv_", "1b3HubC"),
            ("$s1b3Hub\(discriminator)LLC8instance_WZTv_", nil),
            ("$s1b3Hub\(discriminator)C8instance_WZTv_", "1b3Hub\(discriminator)C"),
            ("$s1b1NO5InnerC7default\(discriminator)_WZTv_", "1b1NO5InnerC"),
            // Other names, other contexts, other symbols.
            ("$s1b3HubC5cache_WZTv_", nil), ("$s1b1NO6shared_WZTv_", nil), ("$s1b6shared_WZTv_", nil),
            ("$s1b3HubC6shared_WZTv0_", nil), ("$s1b3HubC6shared_WZ", nil), ("$s_WZTv_", nil), ("", nil),
        ])
    func classOfObjectIsReadFromSymbolName(symbol: String, name: String?) {
        let pieces = NameExpansion.pieces(ofClassOfObject: symbol)?.map { piece in
            switch piece {
            case .text(let text), .nominal(_, let text): text
            }
        }
        #expect(pieces?.joined() == name)
    }

    @Test(arguments: [
        "", "$s", "$svp", "$s1bvp", "$s1b4globvp", "$s1b4globAA6ScreenCvp.0", "$s1b4globAA6ScreenCvg", "environ",
        "$s1b4globAZ6ScreenCvp", "$s1b4globAA99ScreenCvp", "$s1b4globAA6ScreenCAA6ScreenCvp", "vp", "$s4globvpZ",
    ])
    func symbolWithoutVariableTypeYieldsNil(symbol: String) {
        #expect(NameExpansion.pieces(ofTypeOfVariable: symbol) == nil)
    }

    /// The offsets in a variable of a type that may be strong references; `nil` if nothing is known of them.
    private func owningPlaces<Value>(of type: Value.Type, name: String, size: Int? = nil) throws -> [Int]? {
        let layouts = TypeLayouts()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        let start = UInt(bitPattern: memory)
        let range = start..<start + UInt(size ?? MemoryLayout<Value>.size)
        #expect(layouts.compileVariables([(range, name)]) == 0)
        let table = try #require(layouts.table)
        let index = rp_find_layout(table, rp_variable_key(start))
        try #require(index != 0, "it is not asked for again")
        let layout = table.pointee.layouts[Int(index)]
        guard layout.kind == UInt8(RP_LAYOUT_VALUE.rawValue) else { return nil }
        let slots = (0..<layout.slot_count).map { table.pointee.slots[Int(layout.first_slot + $0)] }
        let never = [RP_SLOT_WEAK, RP_SLOT_UNOWNED, RP_SLOT_UNMANAGED, RP_SLOT_PLAIN].map { UInt8($0.rawValue) }
        return slots.filter { !never.contains($0.kind) }.map { Int($0.offset) }
    }

    @Test func referencesInVariableAreFoundByItsType() throws {
        let place = "$s1b1NO1x"
        #expect(try owningPlaces(of: [AnyObject].self, name: "\(place)SayyXlGvpZ") == [0])
        #expect(try owningPlaces(of: (Int, [Int]).self, name: "\(place)Si_SaySiGtvpZ") == [8])
        #expect(try owningPlaces(of: (Unmanaged<AnyObject>, Int).self, name: "\(place)s9UnmanagedVyyXlG_SitvpZ") == [])
        #expect(try owningPlaces(of: Any?.self, name: "\(place)ypSgvpZ") == [0])
        #expect(try owningPlaces(of: (any Sendable)?.self, name: "\(place)s8Sendable_pSgvpZ") == [0])
        #expect(try owningPlaces(of: [String: any Sendable].self, name: "\(place)SDySSs8Sendable_pGvpZ") == [0])
        // An `unowned` variable has the same name.
        #expect(try owningPlaces(of: AnyObject?.self, name: "\(place)yXlSgvpZ") == nil)
        // A variable with another size has another type, unless it is a buffer of three words.
        #expect(try owningPlaces(of: [AnyObject].self, name: "\(place)SayyXlGvpZ", size: 32) == nil)
        #expect(try owningPlaces(of: [AnyObject].self, name: "\(place)SayyXlGvpZ", size: 24) == [0])
        #expect(try owningPlaces(of: Any?.self, name: "\(place)ypSgvpZ", size: 24) == [0])
        #expect(try owningPlaces(of: Int.self, name: "no name of Swift's") == nil)
    }
}
#endif
