import LifetimeTracer
import RetainPaths

extension TypeName {
    /// The name as retain paths print it, without the modules of generic arguments: `Box<String>`.
    var readable: String { ShortTypeName.of(qualified) }
}
