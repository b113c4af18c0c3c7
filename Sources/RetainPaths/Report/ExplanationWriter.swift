import LifetimeTracer

/// Makes explanations of what a search found.
struct ExplanationWriter {
    /// Where names come from.
    var names = HeapNames.process
    /// The leaks that are not to be reported.
    var knownLeaks = KnownLeaks()
    /// Modules of libraries beside those of well-known packages.
    var libraryModules: Set<String> = []
    /// The day on which known leaks may have expired.
    var today: CalendarDay

    /// The report on what was found.
    ///
    /// Names are looked up here, in the calling thread: some microseconds each, and the symbols of an object when it is
    /// first asked for.
    ///
    /// - Parameters:
    ///   - answer: What was found, a finding for each instance.
    ///   - ids: The instances, in the order of the findings.
    func report(on answer: HeapAnswer, of ids: [InstanceID]) -> RetainReport {
        let reader = NodeReader(names: names, threads: answer.threads)
        let targets = Set(answer.findings.filter { $0.address != 0 }.map { HiddenAddress(wrappedValue: $0.address) })
        let modules = KnownTypes.libraries.union(libraryModules)
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

    /// The closures with names of some paths, by the addresses of their contexts.
    ///
    /// What a context belongs to is told by whoever holds it, which of a direct holder only a path knows.
    private static func closures(of paths: [NamedPath?]) -> [HiddenAddress: PathNode] {
        let closures = paths.lazy.compactMap(\.self).flatMap(\.nodes).filter { $0.role == .closure && $0.hasContext }
        return Dictionary(closures.map { (HiddenAddress(wrappedValue: $0.address), $0) }) { first, _ in first }
    }

    private func explanation(
        of finding: HeapAnswer.Finding, id: InstanceID, ids: [InstanceID], path: NamedPath?,
        closures: [HiddenAddress: PathNode], reader: NodeReader
    ) -> RetainExplanation {
        let type = finding.metadata == 0 ? nil : names.typeName(finding.metadata)
        let typeName = type?.qualified ?? "instance"
        guard let status = RetainExplanation.Status(finding.status) else {
            return RetainExplanation(instance: id, typeName: typeName, status: .gone)
        }
        let fingerprint = path?.fingerprint
        let signature = path?.signature ?? []
        let match = knownLeaks.match(fingerprint: fingerprint, signature: signature, on: today)
        let isKnown = match.map { !$0.hasExpired(on: today) } ?? false
        return RetainExplanation(
            instance: id, typeName: typeName, status: status, strongReferences: finding.strongCount,
            explainedReferences: finding.found, path: path?.steps ?? [], cycle: path?.cycle,
            holders: Self.inOrder(finding.holders.map { holder($0, closures, reader) }),
            culprit: finding.culprit.flatMap { ids.indices.contains($0) ? ids[$0] : nil },
            suspect: path?.suspect, hint: path.flatMap { HintFinder(path: $0).hint }, fingerprint: fingerprint,
            signature: signature.joined(separator: " \(PathPattern.separator) "), known: isKnown ? match : nil,
            expired: isKnown ? nil : match)
    }

    /// The certain ones first, then those that the short form shows, then by kind and name: the search finds them in the order of their
    /// addresses, which differs from run to run.
    private static func inOrder(_ holders: [RetainHolder]) -> [RetainHolder] {
        holders.sorted { left, right in
            if left.step.isCertain != right.step.isCertain { return left.step.isCertain }
            if left.step.isFolded != right.step.isFolded { return right.step.isFolded }
            return (left.step.kind.rawValue, left.step.name, left.step.through)
                < (right.step.kind.rawValue, right.step.name, right.step.through)
        }
    }

    /// A direct holder; the closure that it holds the instance as, where it does, is told with the property.
    private func holder(
        _ step: HeapAnswer.Step, _ closures: [HiddenAddress: PathNode], _ reader: NodeReader
    ) -> RetainHolder {
        var node = reader.node(step, code: step.node == .closure ? step.code : 0)
        var through = node.element + node.members
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
    /// What a search says of an instance; `nil` of one that is gone, or going.
    fileprivate init?(_ status: HeapAnswer.Finding.Status) {
        switch status {
        case .reachable: self = .reachable
        case .cycle: self = .cycle
        case .leakedByCycle: self = .leakedByCycle
        case .noRootFound: self = .noRootFound
        case .notFound, .deinitializing: return nil
        }
    }
}
