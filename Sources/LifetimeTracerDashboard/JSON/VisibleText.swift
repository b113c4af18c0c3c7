/// Detects texts that consist of white space and control characters only.
enum VisibleText {
    /// A regular expression (ECMA-262) that matches exactly the texts for which ``isIn(_:)`` returns `true`.
    static let pattern =
        #"[^\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"#

    /// Returns whether the text has a character that is neither white space nor a control character.
    static func isIn(_ text: String) -> Bool {
        text.unicodeScalars.contains { !$0.properties.isWhitespace && $0.properties.generalCategory != .control }
    }
}
