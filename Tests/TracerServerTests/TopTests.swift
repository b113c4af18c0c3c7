import Testing

@testable import tracer_server

/// The table of `top`, without a server.
@Suite struct TopTests {
    private static let types = [
        Canned.type("A.Big", live: 900, trend: [100, 300, 900], growing: true, died: 5, shallowBytes: 16),
        Canned.type("A.Leak", live: 12, trend: Array(0...12), growing: true, overdue: 3, shallowBytes: 1000),
        Canned.type("B.New", live: 1),
    ]

    private static func look(
        _ types: [String] = types, _ sort: TopSort = .live, count: Int = 20, total: Int? = nil
    ) async throws -> TopLook {
        let server = CannedServer(Canned.answers(types: Canned.types(types, total: total)))
        return try await TopLook(from: server, sortedBy: sort, atMost: count)
    }

    @Test func tableShowsEachCountInAColumn() async throws {
        let table = TopTable(try await Self.look(total: 5))
        #expect(
            table.lines.map(\.text) == [
                "app (pid 7) on box: 12 live of 2 types, 0 overdue", "",
                "LIVE  +/MIN  BORN  DIED  PEAK  OVERDUE  BYTES  TYPE",
                " 900  +4800   905     5   900        0  14400  A.Big",
                "  12    +12    12     0    12        3  12000  A.Leak",
                "   1      -     1     0     1        0      -  B.New", "and 2 more types",
            ])
        #expect(table.lines.map(\.style) == [.plain, .plain, .heading, .growing, .overdue, .plain, .plain])
    }

    @Test(arguments: [
        ("Shop.Cart", 13, "12  Shop.Cart"), ("Shop.Cart", 12, "12  …op.Cart"), ("Shop.Cart", 6, "12  …t"),
        ("Shop.Cart", 5, "12  S"), ("Shop.Cart", 3, "12 "), ("表示", 7, "12  …示"), ("", 2, "12"),
    ]) func longTypeNameKeepsItsEnd(_ type: String, _ columns: Int, _ fitting: String) {
        #expect(TopTable.Line("12  ", type: type).fitting(columns: columns) == fitting)
    }

    @Test(
        arguments: [
            ([5, 5], 0), ([0, 1], 12), ([1, 0], -12), ([3], nil), ([], nil),
            // Only the last minute of samples counts.
            ([0, 100] + Array(repeating: 100, count: 12), 0), (Array(0...59), 12),
        ] as [([Int], Double?)])
    func growthCoversTheLastMinute(_ trend: [Int], _ growth: Double?) async throws {
        #expect(try await Self.look([Canned.type("A.T", live: 1, trend: trend)]).rows.first?.growth == growth)
    }

    @Test(arguments: [
        (TopSort.live, ["A.Big", "A.Leak", "B.New"]), (.growth, ["A.Big", "A.Leak", "B.New"]),
        (.bytes, ["A.Big", "A.Leak", "B.New"]),
    ]) func unsupportedSortOrdersAreSortedLocally(_ sort: TopSort, _ order: [String]) async throws {
        let types = sort.serverSort == nil ? Self.types.reversed() : Self.types
        let look = try await Self.look(types, sort)
        #expect(look.rows.map(\.type) == order)
        #expect(try await Self.look(types, sort, count: 1).rows.map(\.type) == [order[0]])
    }

    @Test func onlyDisplayedTypesAreRequested() async throws {
        let server = CannedServer(Canned.answers(types: Canned.types(Self.types, next: "more", total: 900)))
        let look = try await TopLook(from: server, sortedBy: .overdue, atMost: 3)
        #expect(look.rows.count == 3 && look.total == 900)
        #expect(server.requests == ["api/v1/summary", "api/v1/types?sort=overdue&limit=3"])
    }

    @Test(arguments: [
        ("abc", 2, "ab"), ("abc", 3, "abc"), ("表示", 3, "表"), ("a😀b", 3, "a😀"), ("e\u{301}x", 1, "e\u{301}"),
        ("ab", 0, ""),
    ]) func lineIsCutToTheTerminalColumns(_ text: String, _ columns: Int, _ fitting: String) {
        #expect(text.fitting(columns: columns) == fitting)
    }

    @Test(arguments: [
        (
            ["x:1", "--sort", "size"],
            "--sort \"size\" is not a column; known columns: live, growth, born, died, peak, overdue, bytes, name"
        ),
        (["x:1", "--count", "0"], "--count \"0\" is not a number from 1 to 10000"),
        (["x:1", "--interval", "0"], "--interval \"0\" is not a number of seconds from 0.1 to 3600"),
        (["x:1", "y"], "unexpected argument \"y\""), ([], "missing argument URL"), (["x"], "the port is missing"),
    ]) func usageErrorNamesTheProblem(_ words: [String], _ part: String) {
        let error = #expect(throws: UsageError.self) {
            guard case .run(let arguments) = try TopCommand.syntax.parse(words) else { return }
            _ = try TopOptions(arguments)
        }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
