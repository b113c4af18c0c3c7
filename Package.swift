// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LifetimeTracer",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LifetimeTracer", targets: ["LifetimeTracer"]),
        .library(name: "LifetimeTracerFoundation", targets: ["LifetimeTracerFoundation"]),
        .library(name: "LifetimeTracerTestKit", targets: ["LifetimeTracerTestKit"]),
        .library(name: "LifetimeTracerDashboard", targets: ["LifetimeTracerDashboard"]),
        .library(name: "LifetimeTracerServer", targets: ["LifetimeTracerServer"]),
        .executable(name: "tracer-server", targets: ["tracer-server"]),
    ],
    targets: [
        // The core links neither Foundation nor libmicrohttpd.
        .target(name: "CForkGate"),
        .target(name: "CLifetimeRuntime", dependencies: ["CForkGate"]),
        .target(name: "CSymbols"),
        .target(name: "LifetimeTracer", dependencies: ["CLifetimeRuntime", "CForkGate", "CSymbols"]),
        .target(name: "LifetimeTracerFoundation", dependencies: ["LifetimeTracer"]),
        .target(name: "LifetimeTracerTestKit", dependencies: ["LifetimeTracer"]),

        // Request to response, without sockets.
        .target(name: "LifetimeTracerDashboard", dependencies: ["LifetimeTracer", "CWebAssets"]),
        .target(name: "CWebAssets"),

        // The only room that knows libmicrohttpd. No pkg-config entry: the header's own #error is the one line that says
        // what to install, and a program that uses the core alone is never bothered with it.
        .systemLibrary(name: "CMicroHTTPD"),
        .target(name: "CTracerAutostart"),
        .target(
            name: "LifetimeTracerServer",
            dependencies: [
                "LifetimeTracer", "LifetimeTracerDashboard", "CForkGate", "CMicroHTTPD", "CTracerAutostart",
            ]),

        .systemLibrary(name: "CSQLite"),
        .executableTarget(
            name: "tracer-server",
            dependencies: ["LifetimeTracer", "LifetimeTracerFoundation", "LifetimeTracerServer", "CSQLite"]),

        // What tests of several rooms need in order to fork.
        .target(name: "ForkTesting", dependencies: ["LifetimeTracer"], path: "Tests/ForkTesting"),
        .testTarget(
            name: "LifetimeTracerTests",
            dependencies: ["LifetimeTracer", "LifetimeTracerTestKit", "CLifetimeRuntime", "CForkGate", "ForkTesting"]),
        .testTarget(
            name: "LifetimeTracerFoundationTests",
            dependencies: ["LifetimeTracerFoundation", "LifetimeTracerTestKit"]),
        .testTarget(name: "LifetimeTracerTestKitTests", dependencies: ["LifetimeTracerTestKit"]),
        .testTarget(
            name: "LifetimeTracerDashboardTests",
            dependencies: ["LifetimeTracerDashboard", "LifetimeTracerTestKit"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "LifetimeTracerServerTests",
            dependencies: ["LifetimeTracer", "LifetimeTracerDashboard", "LifetimeTracerServer", "ForkTesting"]),
        .testTarget(name: "TracerServerTests", dependencies: ["tracer-server", "LifetimeTracerServer"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
