import LifetimeTracer
import RetainPaths
import TracerBase

// The wire forms of the tracer's ids, names and enumerations.

extension InstanceID: JSONDescribed {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }

    package static var schema: JSONSchema { .integer(1...Int.max).named("InstanceID") }
}

extension TypeName: JSONDescribed {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.text(qualified) }

    package static var schema: JSONSchema { .string().named("TypeName") }
}

extension Fingerprint: JSONDescribed {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.text(description) }

    package static var schema: JSONSchema { .string(pattern: "^[0-9a-f]{16}$").named("Fingerprint") }
}

extension TokenKind: JSONDescribed {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.text(rawValue) }

    package static var schema: JSONSchema { .string().named("TokenKind") }
}

extension Verdict.Kind: JSONChoice {}
extension RetainPaths.Progress: JSONChoice {}
extension RetainExplanation.Status: JSONChoice {}
extension RetainStep.Kind: JSONChoice {}
extension RetainHint.Pattern: JSONChoice {}
extension InstanceVerdict: JSONChoice {}

extension InstanceVerdictSet: JSONDescribed {
    static var schema: JSONSchema { [InstanceVerdict].schema }

    func write(to writer: inout JSONWriter) {
        writer.elements { writer in
            guard !isEmpty else { return }
            for verdict in InstanceVerdict.allCases where contains(Self(verdict)) {
                verdict.write(to: &writer)
            }
        }
    }
}

/// The JSON schema of valid mark names.
enum MarkName {
    static let schema = JSONSchema.string(
        length: 1...LifetimeRegistry.longestMarkName, pattern: #"^[^\u0000-\u001f\u007f-\u009f]*$"#,
        excluding: ["now", ".", ".."]
    ).named("MarkName")
}
