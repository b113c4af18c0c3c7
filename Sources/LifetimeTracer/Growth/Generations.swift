/// The generations of one subject: the instances that were born in successive windows of one length, and how many of
/// them are still live.
///
/// A leak has survivors from every window, and its mature instances do not die. Instances are *mature* once a number
/// of windows have passed since the window of their birth; younger ones may still be at work. Pure: the caller passes
/// the counts at the end of each window.
struct Generations: LockedState, Equatable {
    /// The number of windows that are judged.
    static let windowCount = 24
    /// The fewest windows in a row with survivors that show growth.
    static let leastRun = SurvivingGenerations.allowance
    /// The numbers of windows after which instances count as mature; each is judged separately.
    static let maturities = [1, 2, 4, 16]
    /// The part of all live instances that the survivors of a run must be: 1 % a minute is 8 % in the shortest run.
    static let leastPart = 0.06
    /// The lifetime in minutes that is expected of a healthy instance at most.
    static let expectedMinutes = 120.0

    /// Windows in a row with survivors, and what became of the mature instances meanwhile.
    struct Run: Sendable, Equatable {
        /// The length of a window.
        let windowMinutes: Int
        /// The index in ``Generations/maturities``.
        let maturity: Int
        /// The number of judged windows, which are mature.
        let windows: Int
        /// The number of windows up to now, including those that are not mature.
        let windowsUntilNow: Int
        /// The number of these windows that have survivors.
        let windowsWithSurvivors: Int
        /// The number of survivors from the judged windows, without most of those from a burst.
        let survivors: Int

        /// The growth in instances a minute.
        var perMinute: Double { Double(survivors) / Double(windows * windowMinutes) }
    }

    /// The evidence that is required.
    enum Strictness: Sendable {
        /// To call a subject growing.
        case begin
        /// To go on calling a subject growing.
        case stay
    }

    /// The length of a window.
    let windowMinutes: Int
    /// The live instances by window of birth, youngest first.
    private(set) var survivors = [Int](repeating: 0, count: windowCount)
    /// All live instances.
    private var live = 0
    // For each maturity: the number of mature instances at the end of each window, and the number of those that died
    // in the window before; newest first.
    private var mature = [[UInt32]](repeating: [], count: maturities.count)
    private var deaths = [[UInt32]](repeating: [], count: maturities.count)

    init(windowMinutes: Int) {
        self.windowMinutes = windowMinutes
    }

    /// Takes the counts at the end of a window.
    mutating func endWindow(_ ages: AgeCounts) {
        survivors = ages.survivors(windowMinutes: windowMinutes)
        let total = ages.total
        live = total
        for (index, maturity) in Self.maturities.enumerated() {
            let young = survivors[..<maturity].reduce(0, +)
            // The instances that were mature a window ago are a window older now.
            let earlier = Int(mature[index].first ?? 0)
            let died = max(0, earlier - (total - young - survivors[maturity]))
            mature[index].insert(UInt32(clamping: total - young), at: 0)
            deaths[index].insert(UInt32(clamping: died), at: 0)
            if mature[index].count > Self.windowCount {
                mature[index].removeLast()
                deaths[index].removeLast()
            }
        }
    }

    /// Forgets the past, because counts are missing.
    mutating func restart() {
        self = Self(windowMinutes: windowMinutes)
    }

    /// Whether at least half of the mature instances died in the last window.
    func hasCollapsed(maturity: Int) -> Bool {
        guard mature[maturity].count > 1 else { return false }
        let before = mature[maturity][1]
        return before >= UInt32(Self.leastRun) && deaths[maturity][0] >= before / 2
    }

    /// Returns the longest run that shows growth, with the smallest maturity; `nil` if none does.
    ///
    /// - Parameters:
    ///   - least: The fewest windows of a run.
    ///   - limit: The number of windows that may be considered.
    func growingRun(_ strictness: Strictness, least: Int = leastRun, limit: Int = windowCount) -> Run? {
        // Growth goes on to the present, whatever the maturity.
        guard survivors.prefix(2).count(where: { $0 == 0 }) < (strictness == .begin ? 1 : 2) else { return nil }
        for maturity in Self.maturities.indices {
            let first = Self.maturities[maturity]
            let most = min(strictness == .begin ? limit : Self.longestStay + first, Self.windowCount) - first
            guard most >= least else { continue }
            let windows = stride(from: most, through: least, by: -1).first { windows in
                let run = survivors[first..<first + windows]
                return hasSurvivors(run, strictness)
                    && (strictness == .stay || (isSteady(run) && isConsiderable(run)))
            }
            guard let windows, isSurviving(maturity, windows: windows, strictness) else { continue }
            return run(maturity, windows: windows)
        }
        return nil
    }

    /// The most windows that decide whether growth goes on; more would hide for long that it has ended.
    private static let longestStay = 12

    private func run(_ maturity: Int, windows: Int) -> Run {
        let first = Self.maturities[maturity]
        // From the oldest window with survivors on.
        let end = (survivors[..<(first + windows)].lastIndex { $0 > 0 } ?? first) + 1
        let judged = survivors[min(first, end)..<end]
        // For the words: all windows with survivors in a row, even if fewer decided.
        let inARow = survivors[end...].prefix { $0 > 0 }.count
        return Run(
            windowMinutes: windowMinutes, maturity: maturity, windows: max(1, judged.count),
            windowsUntilNow: end + inARow,
            windowsWithSurvivors: survivors[..<end].count { $0 > 0 } + inARow,
            survivors: judged.isEmpty ? 0 : Self.withoutBursts(judged).reduce(0, +))
    }

    /// Whether nearly all windows have survivors, including the youngest ones.
    private func hasSurvivors(_ run: ArraySlice<Int>, _ strictness: Strictness) -> Bool {
        switch strictness {
        case .begin: SurvivingGenerations.areNearlyEverywhere(run)
        case .stay: run.count { $0 == 0 } <= run.count / 4
        }
    }

    /// Whether the later half of the run has nearly as many survivors as the earlier one, unlike a slow start.
    private func isSteady(_ run: ArraySlice<Int>) -> Bool {
        let evened = Self.withoutBursts(run)
        let later = evened.prefix(run.count / 2).reduce(0, +)
        let earlier = evened.suffix(run.count / 2).reduce(0, +)
        return 4 * later >= 3 * earlier
    }

    /// Whether the run's survivors are a considerable part of all live instances.
    private func isConsiderable(_ run: ArraySlice<Int>) -> Bool {
        Double(Self.withoutBursts(run).reduce(0, +)) >= Self.leastPart * Double(live)
    }

    /// The survivors of a run, at most four times the median in each window, so that one burst does not hide the rest.
    private static func withoutBursts(_ run: ArraySlice<Int>) -> [Int] {
        let most = 4 * max(1, run.sorted()[run.count / 2])
        return run.map { min($0, most) }
    }

    /// Whether too few mature instances died during the run for a healthy lifetime.
    ///
    /// If instances lived for two hours on average, `expected` of them would have died. To begin, the
    /// probability that so few die by chance is at most 6 % (for no death: `expected` ≥ 2.8), and at most a sixth of
    /// the expected number has died.
    private func isSurviving(_ maturity: Int, windows: Int, _ strictness: Strictness) -> Bool {
        let atRisk = mature[maturity].dropFirst().prefix(windows).reduce(0.0) { $0 + Double($1) }
        let died = deaths[maturity].prefix(windows).reduce(0.0) { $0 + Double($1) }
        let expected = atRisk * Double(windowMinutes) / Self.expectedMinutes
        return switch strictness {
        case .begin: died <= expected / 6 && (expected - died) * (expected - died) >= 2.8 * expected
        case .stay: died <= expected / 2
        }
    }
}
