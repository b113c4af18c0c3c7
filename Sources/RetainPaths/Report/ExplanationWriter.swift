import LifetimeTracer
import TracerBase

/// Turns the answer of a search into explanations.
struct ExplanationWriter {
    /// The source of the names.
    var names = HeapNames.process
    /// The leaks that someone has accepted.
    var knownLeaks = KnownLeaks()
    /// Modules of libraries, in addition to those of the toolchain and of well-known packages.
    var libraryModules: Set<String> = []
    /// The current day, which decides whether known leaks have expired.
    var today: CalendarDay
    /// Returns the type of an instance that is live after the search.
    var typeOfLive: (InstanceID) -> TypeName? = { _ in nil }

    /// The report on an answer.
    ///
    /// Names are looked up on the calling thread. A name takes some microseconds. The first name in a loaded object
    /// also reads the object's symbols.
    ///
    /// - Parameters:
    ///   - answer: The answer, with one finding for each instance.
    ///   - ids: The instances, in the order of the findings.
    func report(on answer: HeapAnswer, of ids: [InstanceID]) -> RetainReport {
        let targets = Set(answer.findings.filter { $0.address != 0 }.map { HiddenAddress(wrappedValue: $0.address) })
        let modules = KnownTypes.libraries.union(libraryModules)
        let reader = NodeReader(names: names, threads: answer.threads, libraryModules: modules)
        let paths = answer.findings.map { NamedPath($0, reader: reader, targets: targets, libraryModules: modules) }
        let closures = Self.closures(of: paths)
        let explanations = answer.findings.indices.prefix(ids.count).map { index in
            explanation(
                of: answer.findings[index], id: ids[index], ids: ids, path: paths[index], closures: closures,
                reader: reader)
        }
        return RetainReport(
            explanations: explanations, cost: answer.cost, expiredLeaks: knownLeaks.expired(on: today))
    }

    /// The named closures in some paths, by the addresses of their contexts.
    ///
    /// A context's function is stored beside a reference to the context. For a direct holder, only a path contains this
    /// reference.
    private static func closures(of paths: [NamedPath?]) -> [HiddenAddress: PathNode] {
        let closures = paths.lazy.compactMap(\.self).flatMap(\.nodes).filter { $0.role == .closure && $0.hasContext }
        return Dictionary(closures.map { (HiddenAddress(wrappedValue: $0.address), $0) }) { first, _ in first }
    }

    private func explanation(
        of finding: HeapAnswer.Finding, id: InstanceID, ids: [InstanceID], path: NamedPath?,
        closures: [HiddenAddress: PathNode], reader: NodeReader
    ) -> RetainExplanation {
        let known = finding.metadata == 0 ? nil : names.typeName(finding.metadata)
        let type = known ?? TypeName(module: "", name: "instance")
        guard let status = RetainExplanation.Status(finding.status) else {
            guard finding.status == .notFound, let live = typeOfLive(id) else {
                return RetainExplanation(instance: id, type: type, status: .gone)
            }
            return RetainExplanation(
                instance: id, type: live, status: .notOnHeap, path: Self.place(finding, of: live, reader))
        }
        let fingerprint = path?.fingerprint
        let signature = path?.signature ?? []
        let match = knownLeaks.match(fingerprint: fingerprint, signature: signature, on: today)
        let isKnown = match.map { !$0.hasExpired(on: today) } ?? false
        return RetainExplanation(
            instance: id, type: type, status: status, strongReferences: finding.strongCount,
            explainedReferences: finding.found, path: path?.steps ?? [], cycle: path?.cycle,
            holders: Self.inOrder(finding.holders.map { holder($0, closures, reader) }),
            culprit: finding.culprit.flatMap { ids.indices.contains($0) ? ids[$0] : nil },
            suspect: path?.suspect, hint: path.flatMap { hint(for: $0, of: finding, reader) }, fingerprint: fingerprint,
            signature: signature.joined(separator: " \(PathPattern.separator) "), known: isKnown ? match : nil,
            expired: isKnown ? nil : match)
    }

    /// The hint for a path, with regard to tasks that hold the instance in another way.
    private func hint(for path: NamedPath, of finding: HeapAnswer.Finding, _ reader: NodeReader) -> RetainHint? {
        let tasks = finding.holders.compactMap(\.owners.first).filter { owner in
            owner.node == .task && !path.nodes.contains { $0.address == owner.address }
        }
        return HintFinder(path: path, otherTasks: tasks.map { reader.node($0) }).hint
    }

    /// The stack or the task in whose frames an instance lies, and the instance; empty if the place is not known.
    ///
    /// The place is never certain: the memory of an object that was retained too often stays in the frame of a function
    /// that has returned, until other calls overwrite it.
    private static func place(
        _ finding: HeapAnswer.Finding, of type: TypeName, _ reader: NodeReader
    ) -> [RetainStep] {
        guard let step = finding.steps.first else { return [] }
        let node = reader.node(step)
        return [
            RetainStep(kind: node.kind, name: node.name, through: "", isCertain: false, isFolded: false),
            RetainStep(
                kind: .object, name: ShortTypeName.of(type.qualified), through: "", isCertain: true, isFolded: false),
        ]
    }

    /// Sorts the certain holders first, then those that the short form shows, then by kind and name.
    ///
    /// The search finds holders in the order of their addresses, which differs from run to run.
    private static func inOrder(_ holders: [RetainHolder]) -> [RetainHolder] {
        holders.sorted { left, right in
            if left.step.isCertain != right.step.isCertain { return left.step.isCertain }
            if left.step.isFolded != right.step.isFolded { return right.step.isFolded }
            return (left.step.kind.rawValue, left.step.name, left.step.through)
                < (right.step.kind.rawValue, right.step.name, right.step.through)
        }
    }

    /// The step of the variable or object that keeps a holder, if the holder is the storage of a collection.
    ///
    /// `Hub.subs[2]` says more than `Array<Sub>[2]`.
    /// The result is `nil` if the storage has no owner that is certain.
    private func owner(of holder: HeapAnswer.Step, _ reader: NodeReader) -> RetainStep? {
        guard !holder.owners.isEmpty else { return nil }
        var slice: Range<Int>?
        let nodes = (holder.owners + [holder]).map { step in
            defer { slice = step.slice }
            return reader.node(step, slice: slice)
        }
        guard nodes.allSatisfy(\.isCertain), [.global, .threadLocal, .object].contains(nodes[0].kind),
            nodes[0].role != .storage, nodes.dropFirst().allSatisfy({ $0.role == .storage })
        else { return nil }
        return RetainStep(
            kind: nodes[0].kind, name: nodes[0].name, through: nodes.map { $0.element + $0.shownMembers }.joined(),
            isCertain: true, isFolded: false)
    }

    /// A direct holder.
    ///
    /// If the holder stores the instance as the context of a closure, its text also names that closure.
    private func holder(
        _ step: HeapAnswer.Step, _ closures: [HiddenAddress: PathNode], _ reader: NodeReader
    ) -> RetainHolder {
        if let owner = owner(of: step, reader) { return RetainHolder(step: owner, isReachable: step.isReached) }
        var node = reader.node(step, code: step.node == .closure ? step.code : 0)
        // A box with a function is named after the function, whose property in the box then has no owner.
        let isNamedByFunction = step.node == .closure && step.edge == .function && node.role != .box
        var through = isNamedByFunction ? "" : node.element + node.shownMembers
        if step.node == .closure, node.role == .box, let named = closures[HiddenAddress(wrappedValue: step.address)] {
            (node.name, node.kind, node.role) = (named.name, named.kind, named.role)
        }
        if step.edge == .function, step.code != 0, step.node != .closure {
            through += " as \(ClosureName(names.symbol(step.code)).brief)"
        }
        return RetainHolder(
            step: RetainStep(
                kind: node.kind, name: node.name, through: through, isCertain: node.isCertain, isFolded: node.isFolded),
            isReachable: step.isReached)
    }
}

extension RetainExplanation.Status {
    /// The status of an explanation; `nil` for an instance that is dead or whose deinit is running.
    fileprivate init?(_ status: HeapAnswer.Finding.Status) {
        switch status {
        case .reachable: self = .reachable
        case .cycle: self = .cycle
        case .leakedByCycle: self = .leakedByCycle
        case .noRootFound: self = .noRootFound
        case .notFound, .deinitializing, .notExamined: return nil
        }
    }
}
