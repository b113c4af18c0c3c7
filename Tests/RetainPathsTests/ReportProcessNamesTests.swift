import LifetimeTracer
import Testing
import TracerBase

@testable import RetainPaths

/// Names of the test process: real metadata, code and variables.
@Suite struct ReportProcessNamesTests {
    private let names = HeapNames.process

    @Test func typeNamesAreReadFromMetadata() {
        func name(of type: Any.Type) -> String? { names.typeName(unsafeBitCast(type, to: UInt.self))?.qualified }
        #expect(name(of: PlantedScreen.self) == "RetainPathsTests.PlantedScreen")
        #expect(name(of: PlantedHub.self) == "RetainPathsTests.PlantedHub")
        #expect(name(of: PlantedBox<[Int]>.self) == "RetainPathsTests.PlantedBox<Swift.Array<Swift.Int>>")
        #expect(name(of: (Int, String).self) == "(Swift.Int, Swift.String)")
        #expect(name(of: HiddenType.self) == "RetainPathsTests.HiddenType")
        #expect(names.typeName(0) == nil)
        // Words that are not type metadata: an arbitrary value, and an unaligned address.
        withUnsafeBytes(of: (UInt(0x400), UInt(0x77))) { words in
            #expect(names.typeName(UInt(bitPattern: words.baseAddress)) == nil)
            #expect(names.typeName(UInt(bitPattern: words.baseAddress) + 1) == nil)
        }
    }

    @Test func boxIsNamedAfterTheBoxedType() {
        let type = unsafeBitCast(PlantedScreen.self, to: UInt.self)
        withUnsafeBytes(of: (UInt(0x500), UInt(0), type)) { words in
            #expect(names.typeName(UInt(bitPattern: words.baseAddress))?.name == "PlantedScreen")
        }
    }

    @Test func closuresAndVariablesAreNamedByTheirSymbols() throws {
        let screen = PlantedScreen()
        let closure = PlantedFunction(function: screen.makeClosure())
        let code = withUnsafeBytes(of: closure) { $0.load(as: UInt.self) }
        #expect(ClosureName(names.symbol(code)).text == "closure #1 (String) -> () in PlantedScreen.makeClosure()")

        let variable = withUnsafePointer(to: &PlantedHub.shared) { UInt(bitPattern: $0) }
        #expect(RootName(names.symbol(variable)).text == "static PlantedHub.shared")
        let global = withUnsafePointer(to: &plantedScreens) { UInt(bitPattern: $0) }
        #expect(RootName(names.symbol(global)).text == "global plantedScreens")
    }

    @Test func completePathIsDescribedWithRealNames() throws {
        let screen = PlantedScreen()
        let hub = PlantedHub.shared
        let function = PlantedFunction(function: screen.makeClosure())
        let (code, context) = withUnsafeBytes(of: function) {
            ($0.load(as: UInt.self), $0.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self))
        }
        func object(_ object: AnyObject, _ property: String, edge: HeapAnswer.Step.Edge?) -> HeapAnswer.Step {
            let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
            let metadata = unsafeBitCast(type(of: object), to: UInt.self)
            return .made(
                .object, at: address, metadata: metadata, edge: edge, name: property, code: edge == .function ? code : 0
            )
        }
        let root = withUnsafePointer(to: &PlantedHub.shared) { UInt(bitPattern: $0) }
        let finding = HeapAnswer.Finding.made(
            .reachable,
            [
                .made(.rootData, at: root, isPrecise: false), object(hub, "done", edge: .function),
                .made(.closure, at: context, metadata: context), object(screen, "", edge: nil),
            ])
        let writer = ExplanationWriter(today: try unwrapped(CalendarDay("2026-11-21")))
        let report = writer.report(on: HeapAnswer(findings: [finding]), of: [InstanceID(rawValue: 7)])
        withExtendedLifetime((screen, function)) {}
        #expect(
            report.explanations.first?.text() == """
                PlantedScreen #7 is held by static PlantedHub.shared; 1 of 1 strong reference explained.
                  static PlantedHub.shared
                  ↳ .done
                  ↳ closure #1 (String) -> () in PlantedScreen.makeClosure() captures PlantedScreen strongly  ← suspect
                  PlantedHub.done keeps closure #1 in PlantedScreen.makeClosure(), \
                which captures PlantedScreen strongly. Capture PlantedScreen weakly in the closure ([weak self] if it \
                is self), or remove the closure when PlantedScreen is no longer needed.

                """)
    }
}

final class PlantedHub {
    nonisolated(unsafe) static var shared = PlantedHub()
    var done: ((String) -> Void)?
}

nonisolated(unsafe) var plantedScreens: [PlantedScreen] = []

final class PlantedScreen {
    var titles: [String] = []

    @inline(never)
    func makeClosure() -> (String) -> Void {
        { self.titles.append($0) }
    }
}

final class PlantedBox<Value> {}

private final class HiddenType {}

/// The representation of a function in a property: code and context.
struct PlantedFunction {
    let function: (String) -> Void
}
