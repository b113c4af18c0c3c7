extension JSONSchema {
    /// Returns whether the schema has values of the same type as another schema, with additional constraints at most.
    func narrows(_ other: JSONSchema) -> Bool {
        switch (kind, other.kind) {
        case (_, .anything): true
        case (.named(let name, _), .named(let otherName, _)): name == otherName
        case (.named(_, let schema), _): schema.narrows(other)
        case (_, .named(_, let otherSchema)): narrows(otherSchema)
        case (.orNull(let schema), .orNull(let otherSchema)): schema.narrows(otherSchema)
        case (.array(let element, _), .array(let otherElement, _)): element.narrows(otherElement)
        case (.string, .string), (.choice, .string), (.integer, .integer), (.number, .number): true
        default: self == other
        }
    }
}
