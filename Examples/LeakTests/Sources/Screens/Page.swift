/// A page that leaks when it is turned, and that nobody traces.
public final class Page {
    /// The number of the page, from 1.
    public private(set) var number = 1
    private var next: Page?
    private var previous: Page?

    /// Turns the first page, and returns the second one.
    @inline(never)
    public static func turned() -> Page {
        let page = Page()
        let next = Page()
        next.number = page.number + 1
        page.next = next
        next.previous = page
        return next
    }
}

/// The mended page: it does not keep the page before it.
public final class LoosePage {
    /// The number of the page, from 1.
    public private(set) var number = 1
    private weak var previous: LoosePage?

    /// Turns the first page, and returns the second one.
    @inline(never)
    public static func turned() -> LoosePage {
        let page = LoosePage()
        let next = LoosePage()
        next.number = page.number + 1
        next.previous = page
        return next
    }
}
