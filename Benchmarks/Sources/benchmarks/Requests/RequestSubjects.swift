import LifetimeTracer

/// The objects that the requests list: instances of twenty types, each with its own creation site.
enum RequestSubjects {
    private static let makers: [@Sendable () -> TracedObject] = [
        { Account() }, { AddressBook() }, { Attachment() }, { Basket() }, { Calendar() }, { Conversation() },
        { DetailScreen() }, { Download() }, { FeedScreen() }, { ImageCache() }, { KeyboardObserver() }, { Message() },
        { NotesDatabase() }, { PaymentRequest() }, { Player() }, { ProfileScreen() }, { SearchModel() }, { Session() },
        { SettingsScreen() }, { Upload() },
    ]

    /// Creates objects of all types in turn.
    static func make(_ count: Int) -> [TracedObject] {
        (0..<count).map { makers[$0 % makers.count]() }
    }
}

private final class Account: TracedObject {}
private final class AddressBook: TracedObject {}
private final class Attachment: TracedObject {}
private final class Basket: TracedObject {}
private final class Calendar: TracedObject {}
private final class Conversation: TracedObject {}
private final class DetailScreen: TracedObject {}
private final class Download: TracedObject {}
private final class FeedScreen: TracedObject {}
private final class ImageCache: TracedObject {}
private final class KeyboardObserver: TracedObject {}
private final class Message: TracedObject {}
private final class NotesDatabase: TracedObject {}
private final class PaymentRequest: TracedObject {}
private final class Player: TracedObject {}
private final class ProfileScreen: TracedObject {}
private final class SearchModel: TracedObject {}
private final class Session: TracedObject {}
private final class SettingsScreen: TracedObject {}
private final class Upload: TracedObject {}
