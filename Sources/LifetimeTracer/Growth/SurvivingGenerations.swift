/// The definition of growth that is common to windows of time and to the rounds of a test: nearly every generation has
/// survivors.
package enum SurvivingGenerations {
    /// The number of generations of which one may have no survivors.
    package static let allowance = 8

    /// Whether nearly all generations have survivors, among them the oldest and the two youngest.
    ///
    /// - Parameter survivors: The number of survivors of each generation, youngest first.
    package static func areNearlyEverywhere(_ survivors: some BidirectionalCollection<Int>) -> Bool {
        guard let oldest = survivors.last else { return false }
        return oldest > 0 && survivors.prefix(2).allSatisfy { $0 > 0 }
            && survivors.count { $0 == 0 } <= survivors.count / allowance
    }
}
