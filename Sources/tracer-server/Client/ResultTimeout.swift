/// The time to wait for a result, and the clock that measures it.
struct ResultTimeout: Sendable {
    let duration: Duration
    var clock: any Clock<Duration> = ContinuousClock()
}
