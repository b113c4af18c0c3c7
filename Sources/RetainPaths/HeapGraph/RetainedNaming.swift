import CRetainPaths
import LifetimeTracer
import TracerBase

/// Names the groups of the dominator tree, and joins groups with equal names below the same group.
struct RetainedNaming {
    private let lines: LineNaming

    init(lines: LineNaming) { self.lines = lines }

    private struct Identity: Hashable {
        let parent: Int?
        let kind: HeapGraph.RetainedSizes.Group.Kind
        let name: String
        let type: String
    }

    /// The named groups of a copy.
    func sizes(_ memory: RetainedMemory, threads: [Int32], obstacle: String?) -> HeapGraph.RetainedSizes {
        // Not a copy: it would need megabytes of the thread's stack.
        let found = memory.pointer
        guard memory.isDone else {
            return HeapGraph.RetainedSizes(obstacle: obstacle ?? memory.obstacle)
        }
        let named = Dictionary(uniqueKeysWithValues: memory.lines.map { ($0.index, lines.named(Census.Line($0.line))) })
        var groups: [HeapGraph.RetainedSizes.Group] = []
        var joined: [Identity: Int] = [:]
        var places: [Int] = []
        for group in memory.groups {
            let parent = group.parent == RP_TOP_OF_TREE ? nil : places[Int(group.parent)]
            var entry = group.line == 0 ? root(group, threads) : blocks(named[Int(group.line)])
            entry.parent = parent
            let identity = Identity(parent: parent, kind: entry.kind, name: entry.name, type: entry.type)
            let place = joined[identity] ?? groups.count
            if place == groups.count { groups.append(entry) }
            joined[identity] = place
            places.append(place)
            groups[place].count += Int(clamping: group.count)
            groups[place].bytes += Int(clamping: group.bytes)
            groups[place].retained += Int(clamping: group.retained)
            groups[place].largest = max(groups[place].largest, Int(clamping: group.largest))
        }
        return HeapGraph.RetainedSizes(
            groups: groups, count: Int(clamping: found.pointee.count), bytes: Int(clamping: found.pointee.bytes),
            leftOut: Int(clamping: found.pointee.all_groups) - Int(found.pointee.group_count))
    }

    private func blocks(_ line: HeapGraph.Line?) -> HeapGraph.RetainedSizes.Group {
        guard let line else { return HeapGraph.RetainedSizes.Group(kind: .unknown, name: "C and unknown") }
        return HeapGraph.RetainedSizes.Group(
            kind: HeapGraph.RetainedSizes.Group.Kind(rawValue: line.kind.rawValue) ?? .unknown, name: line.name,
            type: line.type, isOfProgram: line.isOfProgram)
    }

    private func root(_ group: rp_retained_group, _ threads: [Int32]) -> HeapGraph.RetainedSizes.Group {
        switch rp_node_kind(UInt32(group.node)) {
        case RP_NODE_ROOT_DATA: variable(RootName(lines.names.symbol(group.address)))
        case RP_NODE_STATIC_OBJECT: variable(RootName(ofStaticObject: lines.names.symbol(group.address)))
        case RP_NODE_ROOT_STACK: thread(group.thread, threads)
        case RP_NODE_ROOT_TASK: HeapGraph.RetainedSizes.Group(kind: .requestingTask, name: "the requesting Task")
        case RP_NODE_ROOT_AWAITING_TASK:
            HeapGraph.RetainedSizes.Group(kind: .requestingTask, name: "a Task awaiting the requesting Task")
        case RP_NODE_ROOT_TRACER: HeapGraph.RetainedSizes.Group(kind: .tracer, name: "LifetimeTracer itself")
        case RP_NODE_ROOT_ANONYMOUS: HeapGraph.RetainedSizes.Group(kind: .memory, name: "memory outside the heap")
        default: HeapGraph.RetainedSizes.Group(kind: .deinitializing, name: "objects whose deinit is running")
        }
    }

    private func variable(_ name: RootName) -> HeapGraph.RetainedSizes.Group {
        HeapGraph.RetainedSizes.Group(
            kind: .variable, name: name.text, isOfProgram: lines.isOfProgram(module: name.module))
    }

    private func thread(_ index: UInt32, _ threads: [Int32]) -> HeapGraph.RetainedSizes.Group {
        guard threads.indices.contains(Int(index)) else {
            return HeapGraph.RetainedSizes.Group(kind: .thread, name: "a thread")
        }
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        let name = ThreadStacks.name(of: threads[Int(index)]) ?? ""
        #else
        let name = ""
        #endif
        return HeapGraph.RetainedSizes.Group(
            kind: .thread, name: "thread \(name.isEmpty ? "\(threads[Int(index)])" : "'\(name.withEscapes())'")")
    }
}
