import LifetimeTracer
import Testing

@testable import RetainPaths

/// The names of types by which the search recognizes the tracer's own objects.
@Suite struct KnownTypesTests {
    @Test func namesOfTheTracersTypesExist() {
        let modules: Set = ["LifetimeTracer", "LifetimeTracerFoundation"]
        let names = KnownTypes.plumbing.union(KnownTypes.own.keys)
            .filter { modules.contains(String($0.prefix { $0 != "." })) }
        #expect(names.count >= 7)
        // The context of a type in an extension has no name, so only the module and the innermost name are compared.
        let types = Set(CompiledType.all().map { "\($0.descriptor.moduleName).\($0.descriptor.name)" })
        for name in names.sorted() {
            let parts = name.split(separator: ".")
            let exists = types.contains("\(parts[0]).\(parts[parts.count - 1])")
            #expect(exists, "\(name) is a type")
        }
    }
}
