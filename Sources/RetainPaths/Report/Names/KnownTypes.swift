/// Facts about types of the standard library, Foundation, the tracer and other libraries, by the types' names.
enum KnownTypes {
    /// The purpose of a type, for the choice of a hint.
    enum Purpose: Hashable {
        case notificationCenter, hub, timer, source, task, request
    }

    /// The collection whose elements a type stores, as in source code: `Array<Int>`; `nil` for types that are not the
    /// storage of a collection.
    static func storage(of type: String) -> String? {
        for (prefix, collection) in storages where type.hasPrefix(prefix) {
            return "\(collection)<\(type.dropFirst(prefix.count))"
        }
        return type == "Swift.__EmptyArrayStorage" ? "Array" : nil
    }

    /// Whether a collection has keys besides its values.
    static func hasKeys(_ type: String) -> Bool {
        type.hasPrefix("Swift._DictionaryStorage<")
    }

    private static let storages = [
        ("Swift._ContiguousArrayStorage<", "Array"), ("Swift.__StaticArrayStorage<", "Array"),
        ("Swift._DictionaryStorage<", "Dictionary"), ("Swift._SetStorage<", "Set"),
    ]

    /// Whether the only purpose of an object is to hold another object, so that its name helps no user.
    static func isPlumbing(_ type: String) -> Bool {
        let name = ShortTypeName.withoutGenerics(type)
        return plumbing.contains(name)
    }

    static let plumbing: Set = [
        "LifetimeTracer.Locked", "LifetimeTracer.ObserverHub.Entry",
        "LifetimeTracerFoundation.NotificationReceiver",
        "LifetimeTracerFoundation.FiringToken", "FoundationEssentials.LockedState._Buffer",
        "Foundation.__NSCFType", "Foundation._NSCFArray", "Foundation._NSCFDictionary", "Foundation._NSCFSet",
        "Foundation.__SwiftValue", "FoundationEssentials.__SwiftValue",
    ]

    /// The usual name for the concept that a library's own type implements.
    static func wellKnownName(of type: String) -> String? {
        type == "Swift.CheckedContinuationCanary" ? "continuation" : nil
    }

    /// The modules of libraries, which the authors of a program do not edit: those of the toolchain, of the tracer and
    /// of well-known packages.
    static let libraries = toolchain.union(packages)

    private static let toolchain: Set = [
        "Cxx", "CxxStdlib", "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
        "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "LifetimeTracer", "LifetimeTracerFoundation", "Observation",
        "RegexBuilder",
        "Swift", "Synchronization", "Testing", "TracerBase", "XCTest", "_Concurrency", "_Differentiation", "TracerBase",
        "_RegexParser",
        "_StringProcessing",
    ]

    private static let packages: Set = [
        "Algorithms", "ArgumentParser", "AsyncKit", "CasePaths", "ConsoleKit", "Crypto", "Dependencies", "Fluent",
        "FluentKit", "FluentSQL", "HTTPTypes", "Instrumentation", "JWTKit", "Leaf", "LeafKit", "MultipartKit",
        "MySQLNIO", "NIOExtras", "NIOHTTPTypes", "OpenAPIRuntime", "PostgresKit", "PostgresNIO", "RediStack",
        "RoutingKit", "SQLKit", "SQLiteNIO", "SotoCore", "SystemPackage", "Tracing", "Valkey", "WebSocketKit",
        "Alamofire", "AsyncAlgorithms", "AsyncHTTPClient", "Atomics", "BitCollections", "Collections", "Combine",
        "ComposableArchitecture", "CoreMetrics", "DequeModule", "GRDB", "GRPC", "GRPCCore", "HashTreeCollections",
        "HeapModule", "Hummingbird", "HummingbirdCore", "Kingfisher", "Logging", "Metrics", "NIO",
        "NIOConcurrencyHelpers",
        "NIOCore", "NIOEmbedded", "NIOFoundationCompat", "NIOHTTP1", "NIOHTTP2", "NIOPosix", "NIOSSL", "NIOTLS",
        "NIOTransportServices", "NIOWebSocket", "OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation",
        "OrderedCollections", "PromiseKit", "ReSwift", "ReactiveSwift", "RxBlocking", "RxCocoa", "RxRelay", "RxSwift",
        "ServiceLifecycle", "Starscream", "SwiftProtobuf", "Vapor", "_NIODataStructures",
    ]

    /// The purpose of a type; `nil` if no hint depends on it.
    static func purpose(of type: String) -> Purpose? {
        let name = ShortTypeName.withoutGenerics(type)
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let module = name[..<dot]
        let rest = name[name.index(after: dot)...]
        let outermost = rest.prefix { $0 != "." }
        switch module {
        case "Foundation", "FoundationEssentials":
            if outermost.hasPrefix("NotificationCenter") || outermost.hasPrefix("_NotificationCenter") {
                return .notificationCenter
            }
            if outermost == "Timer" { return .timer }
            return outermost.hasPrefix("URLSession") ? .request : nil
        case "FoundationNetworking":
            return outermost.hasPrefix("URLSession") ? .request : nil
        case "Dispatch":
            return outermost.hasPrefix("DispatchSource") ? .source : nil
        case "Swift", "_Concurrency":
            return taskTypes.contains(where: outermost.hasPrefix) ? .task : nil
        default:
            return own["\(module).\(outermost)"]
        }
    }

    private static let taskTypes = ["AsyncStream", "AsyncThrowingStream", "CheckedContinuation", "Task"]

    /// The purposes of the tracer's own types.
    static let own: [String: Purpose] = [
        "LifetimeTracer.ObserverHub": .hub, "LifetimeTracerFoundation.TracedNotificationCenter": .notificationCenter,
        "LifetimeTracerFoundation.NotificationReceiver": .notificationCenter,
        "LifetimeTracerFoundation.FiringToken": .timer, "LifetimeTracerFoundation.Flight": .request,
    ]
}
