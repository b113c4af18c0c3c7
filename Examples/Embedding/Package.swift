// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Embedding",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "LifetimeTracer", path: "../..")],
    targets: [
        // Three lines in the program start the server.
        .executableTarget(
            name: "Embedding",
            dependencies: [
                .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerServer", package: "LifetimeTracer"),
            ]),
        // No line in the program: the link is enough, and LIFETIME_TRACER in the environment starts the server.
        .executableTarget(
            name: "Autostart",
            dependencies: [
                .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerServer", package: "LifetimeTracer"),
            ]),
        // The code of Documentation/GettingStarted.md and of the articles in the documentation catalogues.
        .executableTarget(
            name: "ChatServer",
            dependencies: [
                .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerDashboard", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerFoundation", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerServer", package: "LifetimeTracer"),
                .product(name: "RetainPaths", package: "LifetimeTracer"),
            ]),
        // The short examples of README.md, Documentation/RetainPaths.md and Documentation/AnyProgram.md.
        .target(
            name: "Snippets",
            dependencies: [
                .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerEveryClass", package: "LifetimeTracer"),
                .product(name: "RetainPaths", package: "LifetimeTracer"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
