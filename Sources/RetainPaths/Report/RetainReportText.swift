import LifetimeTracer

extension RetainReport {
    /// Instances of one leak: the one to blame, and those that it keeps.
    public struct Group: Sendable {
        /// The instance whose reference is one too many.
        public let culprit: RetainExplanation
        /// The instances that are held through it alone, in the order of the question.
        public let victims: [RetainExplanation]
    }

    /// The explanations with their victims under them, in the order of the question.
    ///
    /// A victim whose culprit is none of the instances stands for itself; so does the first of some that blame each
    /// other.
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

    /// The one at the end of the way from culprit to culprit.
    private func culprit(of explanation: RetainExplanation, in byID: [InstanceID: RetainExplanation]) -> InstanceID {
        var way = [explanation.instance]
        var seen = Set(way)
        while let last = way.last, let id = byID[last]?.culprit, byID[id] != nil {
            // Round a ring of culprits the lowest id stands for all.
            guard seen.insert(id).inserted else { return way.drop { $0 != id }.min() ?? id }
            way.append(id)
        }
        return way.last ?? explanation.instance
    }

    /// The report as text: each culprit with its path, its victims in a line each, known leaks at the end.
    ///
    /// - Parameter full: With every step of every path, also of victims and known leaks.
    public func text(full: Bool = false) -> String {
        var text = ""
        let groups = groups
        for group in groups where full || group.culprit.known == nil {
            text += group.culprit.text(full: full)
            for victim in group.victims {
                text += full ? victim.text(full: true) : "  With it goes \(victim.shortTypeName) #\(victim.instance)\n"
            }
            text += "\n"
        }
        for (leak, count) in knownLeakCounts.sorted(by: { $0.key.subject < $1.key.subject }) {
            text += "Known: \(count) by \(leak.subject)\(leak.expires.map { " until \($0)" } ?? ""): \(leak.reason)\n"
        }
        for leak in expiredLeaks {
            text += "No longer silenced, since \(leak.expires ?? "now") has passed: \(leak.subject): \(leak.reason)\n"
        }
        return text + "\(cost.text)\n"
    }
}

extension RetainCost {
    /// The cost in a sentence.
    public var text: String {
        let total = Self.milliseconds(totalNanoseconds)
        let pause = Self.milliseconds(pauseNanoseconds)
        return "Searched \(objects) objects in \(blocks) blocks of memory in \(total) ms, "
            + "\(rounds) round\(rounds == 1 ? "" : "s"); the program stood still for \(pause) ms."
    }

    /// With one decimal, rounded.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let tenths = (nanoseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
