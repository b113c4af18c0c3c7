import LifetimeTracer

final class DetailScreen: TracedObject {}
