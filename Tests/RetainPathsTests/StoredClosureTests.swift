import Foundation
import LifetimeTracer
import LifetimeTracerEveryClass
import Testing

@testable import RetainPaths

/// No stored property of the tracer contains a function type inside its type: in an optional, a collection, a tuple or
/// another generic type.
///
/// An unoptimised build wraps such a closure in two more closures at each access in place, which is a leak; see
/// `LockedState`. A struct with a constant of a function type, such as `Action`, is not affected. The test reads the
/// compiler's records of the properties of all types in the test program, so it finds every spelling of a type.
@Suite struct StoredClosureTests {
    private static let modules = [
        "LifetimeTracer", "LifetimeTracerFoundation", "LifetimeTracerTestKit", "RetainPaths", "LifetimeTracerDashboard",
        "LifetimeTracerServer", "TracerBase", "tracer_server", "EveryClass", "LifetimeTracerEveryClass",
    ]

    @Test func noClosureIsStoredInsideOfAnotherType() {
        let properties = StoredProperty.all()
        for module in Self.modules {
            let own = properties.filter { $0.module == module }
            // A build of chosen test targets contains only the modules that these targets use.
            if own.isEmpty, Self.hasChosenTargets { continue }
            #expect(own.count >= (module.hasSuffix("EveryClass") ? 1 : 10), "the properties of \(module) are read")
            #expect(
                own.allSatisfy { $0.holdsClosureInside != nil }, "types of \(module) are read")
            let wrong = own.filter { $0.holdsClosureInside == true }
            #expect(wrong.isEmpty, "closures to be wrapped in a struct: \(wrong.map(\.name).sorted())")
        }
    }

    private static var hasChosenTargets: Bool {
        ProcessInfo.processInfo.environment["LIFETIME_TRACER_TEST_TARGETS"] != nil
    }

    @Test func plantedClosuresInsideOtherTypesAreFound() {
        let planted = StoredProperty.all().filter { $0.name.hasPrefix("PlantedClosures.") }
        #expect(planted.count == 10)
        #expect(
            Set(planted.filter { $0.holdsClosureInside == true }.map(\.name)) == [
                "PlantedClosures.optional", "PlantedClosures.array", "PlantedClosures.dictionary",
                "PlantedClosures.tuple", "PlantedClosures.generic",
                "PlantedClosures.named", "PlantedClosures.onMainActor",
            ])
    }
}

private typealias Handler = @Sendable (Int) throws -> Void

private struct Generic<Value> {
    var value: Value
}

/// Properties with forbidden and permitted closures.
private final class PlantedClosures {
    var optional: (() -> Void)?
    var array: [@Sendable () async -> Int] = []
    var dictionary: [Int: (String) -> Bool] = [:]
    var tuple: (number: Int, call: () -> Void) = (0, {})
    var generic = Generic { 1 }
    var named: [Handler] = []
    var onMainActor: (@MainActor @Sendable () -> Void)?

    var bare: () -> Void = {}
    let takingAnother: @Sendable (@escaping () -> Int?) -> [Int] = { _ in [] }
    var action: Action?
}

/// A stored property of a class or struct, or the payload of an enum case.
private struct StoredProperty {
    let module: String
    /// The type and the property, for example `Screen.didClose`.
    let name: String
    /// Whether the property's type is not a function type but contains one; `nil` if the type cannot be read.
    let holdsClosureInside: Bool?

    private init(_ property: FieldRecord, _ type: MangledName, of owner: ContextDescriptor) {
        module = owner.moduleName
        name = "\(owner.name).\(property.name)"
        holdsClosureInside = NameLexemes.lexemes(of: type).map { lexemes in
            lexemes.contains(where: Self.isFunction) && !(lexemes.last.map(Self.isFunction) ?? false)
        }
    }

    /// Whether a lexeme makes a function type of the preceding lexemes (docs/ABI/Mangling.rst, "function-type").
    private static func isFunction(_ lexeme: NameLexeme) -> Bool {
        switch lexeme.kind {
        case .loweredFunction: true
        case .other(let letters): ["c", "XA", "XB", "XC", "XE", "XK", "XL", "Xf"].contains(letters)
        default: false
        }
    }

    /// The stored properties of all types in the program.
    static func all() -> [StoredProperty] {
        CompiledType.all().flatMap { type in
            (0..<type.fields.count).compactMap { index in
                let property = type.fields[index]
                return property.typeName.map { StoredProperty(property, $0, of: type.descriptor) }
            }
        }
    }
}
