import RetainPaths

extension HeapGraph.RetainedSizes.Group.Kind: JSONChoice {}

/// A group of the tree of retained sizes, with its place in the tree.
struct HeapGroupEntry: Sendable {
    /// The number of the group in its capture, from 1 on.
    let number: Int
    /// The number of the group above; `nil` at the top of the tree.
    let parent: Int?
    /// The number of levels below the requested group, from 1 on.
    let level: Int
    let group: HeapGraph.RetainedSizes.Group
    /// The number of groups below this one.
    let groups: Int
    /// The bytes below this group that belong to groups that are not listed.
    let unlisted: Int
}

/// The numbers of groups.
enum HeapGroupNumber {
    static let range = 1...4096
    static let schema = JSONSchema.integer(range).named("HeapGroupNumber")
}

/// The wire type of a group.
struct WireHeapGroup: JSONObject {
    let entry: HeapGroupEntry

    static let fields = Field.list {
        Field("id", as: HeapGroupNumber.schema) { $0.entry.number }
        Field("parent") { $0.entry.parent }
        Field("level", as: .integer(0...)) { $0.entry.level }
        Field("kind") { $0.entry.group.kind }
        Field("root") { $0.entry.group.kind.isRoot }
        Field("name") { $0.entry.group.name }
        Field("type") { $0.entry.group.type.isEmpty ? nil : $0.entry.group.type }
        Field("ofProgram") { $0.entry.group.isOfProgram }
        Field("count") { $0.entry.group.count }
        Field("bytes") { $0.entry.group.bytes }
        Field("retained") { $0.entry.group.retained }
        Field("largest") { $0.entry.group.largest }
        Field("groups") { $0.entry.groups }
        Field("unlisted") { $0.entry.unlisted }
    }
}

/// The wire type of a part of the tree of retained sizes.
struct WireHeapGroups: JSONObject {
    let heap: WireHeap
    let retained: HeapGraph.RetainedSizes
    /// The requested group and those above it, from the top on.
    let path: [WireHeapGroup]
    let unlisted: Int
    let page: Page<WireHeapGroup>

    static let fields = Field.list {
        Field("heap") { $0.heap }
        Field("count") { $0.retained.count }
        Field("bytes") { $0.retained.bytes }
        Field("leftOut", as: .integer(0...)) { $0.retained.leftOut }
        Field("obstacle") { $0.retained.obstacle }
        Field("path") { $0.path }
        Field("unlisted") { $0.unlisted }
        Field.page { $0.page }
        Field("groups") { $0.page.entries }
    }
}
