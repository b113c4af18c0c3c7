/// Objects of many classes that are retained too often, so that they may be leaked, or in use out of sight of a search.
enum OverRetained {
    private final class Grid<Row, Column> {}

    /// Retains an object of a class of its own for each pair of types: more than a search lists.
    @inline(never)
    static func plant() {
        let types: [Any.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
            UInt64.self, Float.self, Double.self, Bool.self, String.self, Character.self, Substring.self, Never.self,
            [Int].self, [Bool].self, [String].self,
        ]
        for row in types { for column in types { retain(row, column) } }
    }

    private static func retain<Row, Column>(_: Row.Type, _: Column.Type) {
        // Safe: the object is retained by hand and never released, which is what the test looks for.
        _ = Unmanaged.passRetained(Grid<Row, Column>())
    }
}
