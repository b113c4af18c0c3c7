import LifetimeTracer

final class Navigation: TracedNode {}
final class TextScreen: TracedNode {}
final class Cell: TracedNode {}
final class Session: TracedObject {}
final class Flow: TracedObject {}
