import LifetimeTracer

/// A traced class needs nothing but the base class.
final class Session: TracedObject {}

func printLiveCount(_ moment: String) {
    print("\(moment): \(LifetimeRegistry.shared.snapshot().instances.count) live")
}

var session: Session? = Session()
withExtendedLifetime(session) { printLiveCount("with a session") }
session = nil
printLiveCount("without it")
