import LifetimeTracer

extension RetainReport {
    /// The instances of one leak: the culprit and its victims.
    public struct Group: Sendable {
        /// The instance that holds the victims.
        public let culprit: RetainExplanation
        /// The instances that are held through the culprit alone, in the order of the question.
        public let victims: [RetainExplanation]
    }

    /// The explanations, with victims under their culprits, in the order of the question.
    ///
    /// A victim whose culprit is not among the instances has a group of its own. If culprits form a ring, the one with
    /// the lowest id heads a group.
    public var groups: [Group] {
        let byID = Dictionary(explanations.map { ($0.instance, $0) }) { first, _ in first }
        var victims: [InstanceID: [RetainExplanation]] = [:]
        var heads: [RetainExplanation] = []
        for explanation in explanations {
            let culprit = culprit(of: explanation, in: byID)
            if culprit == explanation.instance {
                heads.append(explanation)
            } else {
                victims[culprit, default: []].append(explanation)
            }
        }
        return heads.map { Group(culprit: $0, victims: victims[$0.instance] ?? []) }
    }

    /// The last instance in the chain of culprits.
    private func culprit(of explanation: RetainExplanation, in byID: [InstanceID: RetainExplanation]) -> InstanceID {
        var way = [explanation.instance]
        var seen = Set(way)
        while let last = way.last, let id = byID[last]?.culprit, byID[id] != nil {
            // If culprits form a ring, the lowest id stands for all of them.
            guard seen.insert(id).inserted else { return way.drop { $0 != id }.min() ?? id }
            way.append(id)
        }
        return way.last ?? explanation.instance
    }

    /// The report as text: the path of each culprit, a line for each victim, and the known leaks at the end.
    ///
    /// - Parameter full: Whether to include every step of every path, also for victims and known leaks.
    public func text(full: Bool = false) -> String {
        var text = ""
        let groups = groups
        for group in groups where full || group.culprit.known == nil {
            text += group.culprit.text(full: full)
            for victim in group.victims {
                text += full ? victim.text(full: true) : "  Victim: \(victim.shortTypeName) #\(victim.instance)\n"
            }
            text += "\n"
        }
        for (leak, count) in knownLeakCounts.sorted(by: { $0.key.subject < $1.key.subject }) {
            text +=
                "Known: \(count) matching \(leak.subject)\(leak.expires.map { " until \($0)" } ?? ""): \(leak.reason)\n"
        }
        for leak in expiredLeaks {
            text += "No longer a known leak, expired after \(leak.expires ?? "now"): \(leak.subject): \(leak.reason)\n"
        }
        return text + "\(cost.text)\n"
    }
}

extension RetainCost {
    /// The cost in a sentence.
    public var text: String {
        let total = Self.milliseconds(self.total)
        let pause = Self.milliseconds(self.pause)
        return "Searched \(objects) objects in \(blocks) heap blocks in \(total) ms, "
            + "\(rounds) round\(rounds == 1 ? "" : "s"); the program was paused for \(pause) ms."
    }

    /// Milliseconds with one decimal, rounded.
    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = (duration.wholeNanoseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
