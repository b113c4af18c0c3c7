/// A page of a list as it is sent.
struct WireList<Element: JSONWritable>: JSONWritable {
    /// The key under which the elements stand.
    let key: String
    /// Entries of the whole list.
    let total: Int
    /// Where the next page begins.
    let next: String?
    /// The elements of this page.
    let elements: [Element]
    /// What is said beside the list.
    var beside: [(key: String, value: any JSONWritable)] = []

    /// Makes wire types of a page's entries.
    init<Entry>(_ key: String, _ page: Page<Entry>, _ element: (Entry) -> Element) {
        self.key = key
        total = page.total
        next = page.next
        elements = page.entries.map(element)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writeFields(to: &$0) }
    }

    /// Writes the fields alone, for an object that has more of them.
    func writeFields(to writer: inout JSONWriter) {
        writer.field("total", total)
        writer.field("next", next)
        for (key, value) in beside { writer.field(key, value) }
        writer.field(key, elements)
    }
}
