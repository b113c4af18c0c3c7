// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LifetimeTracer",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LifetimeTracer", targets: ["LifetimeTracer"]),
        .library(name: "LifetimeTracerFoundation", targets: ["LifetimeTracerFoundation"]),
        .library(name: "LifetimeTracerTestKit", targets: ["LifetimeTracerTestKit"]),
        .library(name: "RetainPaths", targets: ["RetainPaths"]),
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
        .target(name: "LifetimeTracerTestKit", dependencies: ["LifetimeTracer", "RetainPaths"]),

        // Who retains it: a copy of the process is searched for the strong references to an instance.
        .target(name: "CRetainPaths"),
        .target(name: "RetainPaths", dependencies: ["LifetimeTracer", "CRetainPaths"]),

        // Request to response, without sockets.
        .target(name: "LifetimeTracerDashboard", dependencies: ["LifetimeTracer", "RetainPaths", "CWebAssets"]),
        .target(name: "CWebAssets"),

        // The only room that knows libmicrohttpd. No pkg-config entry: the header's own #error is the one line that says
        // what to install, and a program that uses the core alone is never bothered with it.
        .systemLibrary(name: "CMicroHTTPD"),
        .target(name: "CTracerAutostart"),
        .target(name: "CSockets"),
        .target(
            name: "LifetimeTracerServer",
            dependencies: [
                "LifetimeTracer", "RetainPaths", "LifetimeTracerDashboard", "CForkGate", "CMicroHTTPD",
                "CSockets", "CTracerAutostart",
            ]),

        .systemLibrary(name: "CSQLite"),
        .executableTarget(
            name: "tracer-server",
            dependencies: [
                "LifetimeTracer", "RetainPaths", "LifetimeTracerFoundation", "LifetimeTracerDashboard",
                "LifetimeTracerServer", "CSQLite",
            ]),

        // How long tests wait for an event, in one place.
        .target(name: "Patience", path: "Tests/Patience"),
        // What tests of several rooms need in order to have children.
        .target(name: "ForkTesting", dependencies: ["LifetimeTracer", "Patience"], path: "Tests/ForkTesting"),
        .testTarget(
            name: "LifetimeTracerTests",
            dependencies: ["LifetimeTracer", "LifetimeTracerTestKit", "CLifetimeRuntime", "CForkGate", "ForkTesting"]),
        .testTarget(
            name: "LifetimeTracerFoundationTests",
            dependencies: ["LifetimeTracerFoundation", "LifetimeTracerTestKit", "Patience"]),
        .testTarget(
            name: "LifetimeTracerTestKitTests",
            dependencies: [
                "LifetimeTracerTestKit", "LifetimeTracer", "LifetimeTracerFoundation", "RetainPaths", "ForkTesting",
                "Patience",
            ]),

        // Leaks made on purpose, with the answers that are right, and the program that asks for them.
        .target(
            name: "RetainShapes",
            dependencies: [
                "LifetimeTracer", "RetainPaths", "RetainShapesNeighbour", "RetainShapesReactive",
                "RetainShapesLibraries", "Patience",
            ],
            path: "Tests/RetainShapes/Shapes"),
        // What the shapes need from other modules: superclasses, and a library of operators as one would depend on.
        .target(
            name: "RetainShapesNeighbour", dependencies: ["LifetimeTracer"], path: "Tests/RetainShapes/Neighbour"),
        .target(name: "RetainShapesReactive", path: "Tests/RetainShapes/Reactive"),
        // Stand-ins for public libraries: what they hold, and how.
        .target(name: "RetainShapesLibraries", path: "Tests/RetainShapes/Libraries"),
        .executableTarget(
            name: "retain-shapes", dependencies: ["RetainShapes", "RetainPaths", "LifetimeTracer", "Patience"],
            path: "Tests/RetainShapes/Program"),
        // Asks for an object of its own under limits of the system.
        .executableTarget(
            name: "retain-limits", dependencies: ["RetainPaths", "LifetimeTracer", "LifetimeTracerServer"],
            path: "Tests/RetainLimits"),
        .testTarget(
            name: "RetainPathsTests",
            dependencies: [
                "RetainPaths", "CRetainPaths", "LifetimeTracer", "LifetimeTracerTestKit", "ForkTesting",
                "Patience", "retain-shapes", "retain-limits",
            ]),
        // What a long-lived program does over and over, and the program that measures what that leaves in memory.
        .target(
            name: "VolumeRounds",
            dependencies: ["LifetimeTracer", "LifetimeTracerFoundation", "LifetimeTracerDashboard"],
            path: "Tests/Volume/Rounds"),
        .systemLibrary(name: "CMalloc", path: "Tests/Volume/CMalloc"),
        .executableTarget(
            name: "volume", dependencies: ["VolumeRounds", "CMalloc"], path: "Tests/Volume/Program"),
        .testTarget(name: "VolumeTests", dependencies: ["ForkTesting", "VolumeRounds", "volume"]),
        .testTarget(
            name: "LifetimeTracerDashboardTests",
            dependencies: [
                "LifetimeTracerDashboard", "RetainPaths", "LifetimeTracerTestKit", "ForkTesting", "Patience",
            ],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "LifetimeTracerServerTests",
            dependencies: [
                "LifetimeTracer", "LifetimeTracerDashboard", "LifetimeTracerServer", "ForkTesting", "Patience",
            ]),
        .testTarget(
            name: "TracerServerTests",
            dependencies: ["tracer-server", "LifetimeTracerServer", "RetainPaths", "Patience"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
