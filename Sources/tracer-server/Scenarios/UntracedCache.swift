import LifetimeTracerDashboard

extension Scenario {
    /// A cache that grows and cycles of objects, in classes that are not traced.
    static let untracedCache = Scenario(
        name: "untraced-cache",
        title: "A cache and cycles of classes that are not traced",
        story: """
            A reader keeps each page that it has shown in a cache, which never removes a page, and each row of its \
            list and the editor of the row hold each other. None of these classes is traced, so the tracer reaches no \
            verdict: only the Heap view shows them.
            """,
        resultView: .heap,
        forms: [
            ScenarioInfo.Form(
                form: .leaking,
                summary: "The cache has no limit, and the editor holds its row strongly.",
                expects: [
                    "no verdict, because the classes are not traced",
                    "\(pageCount) CachedPages more in each capture: all are held by static PageCache.shared",
                    "a leak of \(rowCount) equal cycles: PageRow.editor and RowEditor.row",
                ],
                code: """
                    pages.append(page)
                    row.editor = RowEditor(row: row)
                    """),
            ScenarioInfo.Form(
                form: .mended,
                summary:
                    "The cache keeps the \(MendedPageCache.limit) latest pages, and the editor holds its row weakly.",
                expects: [
                    "\(MendedPageCache.limit) MendedCachedPages in each capture",
                    "no MendedPageRow and no MendedRowEditor in a capture",
                ],
                code: """
                    if pages.count > Self.limit { pages.removeFirst() }
                    weak var row: MendedPageRow?
                    """),
        ]
    ) { form, stage in
        switch form {
        case .leaking:
            for number in 1...pageCount { PageCache.shared.keep(CachedPage(number: number)) }
            stage.note("showed \(pageCount.of("page")): the cache holds \(PageCache.shared.count)")
            for number in 1...rowCount { edit(row: number) }
            stage.note("edited \(rowCount.of("row")) and released the list: each row and its editor hold each other")
        case .mended:
            for number in 1...pageCount { MendedPageCache.shared.keep(MendedCachedPage(number: number)) }
            stage.note("showed \(pageCount.of("page")): the cache holds \(MendedPageCache.shared.count)")
            for number in 1...rowCount { editMended(row: number) }
            stage.note("edited \(rowCount.of("row")) and released the list: no row is left")
        }
    }

    private static let pageCount = 100
    private static let rowCount = 12

    // These are functions of their own, so that no variable of the scenario holds a row. A capture would find it there.
    @inline(never)
    private static func edit(row number: Int) {
        let row = PageRow(number: number)
        row.editor = RowEditor(row: row)
    }

    @inline(never)
    private static func editMended(row number: Int) {
        let row = MendedPageRow(number: number)
        row.editor = MendedRowEditor(row: row)
    }
}

/// A page's text, in plain memory.
private class CachedPage {
    let number: Int
    private let text: [UInt8]

    init(number: Int) {
        self.number = number
        text = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4_000)
    }
}

/// A cache that leaks: it never removes a page.
@MainActor
private final class PageCache {
    static let shared = PageCache()

    private var pages: [CachedPage] = []
    var count: Int { pages.count }

    func keep(_ page: CachedPage) {
        pages.append(page)
    }
}

/// A row that leaks: its editor holds it strongly.
private final class PageRow {
    let number: Int
    var editor: RowEditor?

    init(number: Int) {
        self.number = number
    }
}

private final class RowEditor {
    let row: PageRow

    init(row: PageRow) {
        self.row = row
    }
}

private final class MendedCachedPage: CachedPage {}

@MainActor
private final class MendedPageCache {
    nonisolated static let limit = 10
    static let shared = MendedPageCache()

    private var pages: [MendedCachedPage] = []
    var count: Int { pages.count }

    func keep(_ page: MendedCachedPage) {
        pages.append(page)
        if pages.count > Self.limit { pages.removeFirst() }
    }
}

private final class MendedPageRow {
    let number: Int
    var editor: MendedRowEditor?

    init(number: Int) {
        self.number = number
    }
}

private final class MendedRowEditor {
    weak var row: MendedPageRow?

    init(row: MendedPageRow) {
        self.row = row
    }
}
