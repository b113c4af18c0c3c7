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
        // Text for people: its printable form, and standard error.
        .target(name: "TracerText"),

        // The core links neither Foundation nor libmicrohttpd.
        .target(name: "CForkGate"),
        .target(name: "CLifetimeRuntime", dependencies: ["CForkGate"]),
        .target(name: "CSymbols"),
        .target(name: "LifetimeTracer", dependencies: ["CLifetimeRuntime", "CForkGate", "CSymbols", "TracerText"]),
        .target(name: "LifetimeTracerFoundation", dependencies: ["LifetimeTracer"]),
        .target(name: "LifetimeTracerTestKit", dependencies: ["LifetimeTracer", "RetainPaths", "TracerText"]),

        // The search for retain paths, in a frozen copy of the process.
        .target(name: "CRetainPaths", cSettings: [.headerSearchPath(".")]),
        .target(name: "RetainPaths", dependencies: ["LifetimeTracer", "CRetainPaths", "TracerText"]),

        // Maps requests to responses, without sockets.
        .target(name: "LifetimeTracerDashboard", dependencies: ["LifetimeTracer", "RetainPaths", "CWebAssets"]),
        .target(name: "CWebAssets"),

        // The only module that imports libmicrohttpd. It has no pkg-config entry: if the package is missing, the
        // header's own #error is the only message, and a program that uses the core alone sees none.
        .systemLibrary(name: "CMicroHTTPD"),
        .target(name: "CTracerAutostart"),
        .target(name: "CSockets"),
        .target(
            name: "LifetimeTracerServer",
            dependencies: [
                "LifetimeTracer", "RetainPaths", "LifetimeTracerDashboard", "CForkGate", "CMicroHTTPD",
                "CSockets", "CTracerAutostart", "TracerText",
            ]),

        .systemLibrary(name: "CSQLite"),
        .executableTarget(
            name: "tracer-server",
            dependencies: [
                "LifetimeTracer", "RetainPaths", "LifetimeTracerFoundation", "LifetimeTracerDashboard",
                "LifetimeTracerServer", "CSQLite", "TracerText",
            ]),

        // The timeouts of tests, in one place.
        .target(name: "Patience", path: "Tests/Patience"),
        // The support for child processes that tests of several modules share.
        .target(name: "ForkTesting", dependencies: ["LifetimeTracer", "Patience"], path: "Tests/ForkTesting"),
        .testTarget(
            name: "LifetimeTracerTests",
            dependencies: [
                "LifetimeTracer", "LifetimeTracerTestKit", "CLifetimeRuntime", "CForkGate", "ForkTesting", "TracerText",
            ]),
        .testTarget(
            name: "LifetimeTracerFoundationTests",
            dependencies: ["LifetimeTracerFoundation", "LifetimeTracerTestKit", "Patience"]),
        .testTarget(
            name: "LifetimeTracerTestKitTests",
            dependencies: [
                "LifetimeTracerTestKit", "LifetimeTracer", "LifetimeTracerFoundation", "RetainPaths", "ForkTesting",
                "Patience",
            ]),

        // Leaks on purpose with the correct answers, and the program that checks the search against them.
        .target(
            name: "RetainShapes",
            dependencies: [
                "LifetimeTracer", "RetainPaths", "RetainShapesNeighbour", "RetainShapesReactive",
                "RetainShapesLibraries", "Patience",
            ],
            path: "Tests/RetainShapes/Shapes"),
        // The parts of the shapes that must be in other modules: superclasses, and a library of reactive operators.
        .target(
            name: "RetainShapesNeighbour", dependencies: ["LifetimeTracer"], path: "Tests/RetainShapes/Neighbour"),
        .target(name: "RetainShapesReactive", path: "Tests/RetainShapes/Reactive"),
        // Stand-ins for public libraries, which hold objects in the same way.
        .target(name: "RetainShapesLibraries", path: "Tests/RetainShapes/Libraries"),
        .executableTarget(
            name: "retain-shapes", dependencies: ["RetainShapes", "RetainPaths", "LifetimeTracer", "Patience"],
            path: "Tests/RetainShapes/Program"),
        // Explains one of its own objects while limits of the system are low.
        .executableTarget(
            name: "retain-limits", dependencies: ["RetainPaths", "LifetimeTracer", "LifetimeTracerServer"],
            path: "Tests/RetainLimits"),
        .testTarget(
            name: "RetainPathsTests",
            dependencies: [
                "RetainPaths", "CRetainPaths", "LifetimeTracer", "LifetimeTracerTestKit", "ForkTesting",
                "Patience", "retain-shapes", "retain-limits",
            ]),
        // The rounds of work of a long-lived program, and the program that measures how much memory they leave.
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
                "TracerText",
            ]),
        .testTarget(
            name: "TracerServerTests",
            dependencies: ["tracer-server", "LifetimeTracerServer", "RetainPaths", "Patience", "TracerText"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
