import Testing
import TracerBase

@Suite struct WildcardPatternTests {
    @Test(arguments: [
        ("Session", "Session", true), ("Session", "Sessions", false), ("Session", "session", false),
        ("*", "", true), ("*", "anything", true), ("Shop.*", "Shop.", true), ("Shop.*", "Shop.Session", true),
        ("Shop.*", "Workshop.Session", false), ("*Request", "LoginRequest", true), ("*Request", "Requests", false),
        ("a*b*c", "abc", true), ("a*b*c", "a-b-b-c", true), ("a*b*c", "acb", false), ("ab*ba", "aba", false),
        ("**", "x", true), (" Session ", "Session", true), ("Box<*>", "Box<Swift.Int>", true),
        ("Bücher.*", "Bücher.Regal", true), ("*é*", "cafés", true),
    ])
    func aStarStandsForAnyCharacters(pattern: String, text: String, matches: Bool) {
        #expect(WildcardPattern(pattern[...]).matches(text[...]) == matches)
    }

    @Test func onlyAPatternWithoutCharactersIsEmpty() {
        #expect(WildcardPattern("").isEmpty && WildcardPattern("  ").isEmpty)
        #expect(!WildcardPattern("*").isEmpty && !WildcardPattern("x").isEmpty)
    }
}
