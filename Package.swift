// swift-tools-version: 6.2
import PackageDescription

// Scripts/test sets these variables; other builds need none of them.
//
// Unoptimised, the search's C code takes twice as long, and thousands of tests search. Flags that a package declares
// as unsafe exclude it from other packages' dependencies, so only this variable sets one.
let searchSettings: [CSetting] =
    [.headerSearchPath(".")]
    + (Context.environment["LIFETIME_TRACER_OPTIMISES_SEARCH"] == nil ? [] : [.unsafeFlags(["-O2"])])
// The test targets to build, separated by commas; all if the variable is not set.
let chosenTests = Context.environment["LIFETIME_TRACER_TEST_TARGETS"]?.split(separator: ",").map(String.init)

// Below everything, without Foundation: JSON, text for people, files, threads, errors of the system and calendar days.
let base: [Target] = [
    .target(name: "CTracerSystem"),
    .target(name: "TracerBase", dependencies: ["CTracerSystem"]),
]

// The core links neither Foundation nor libmicrohttpd.
let core: [Target] = [
    .target(name: "CForkBarrier"),
    .target(name: "CLifetimeRuntime", dependencies: ["CForkBarrier"]),
    .target(name: "CTracerSymbols"),
    .target(
        name: "LifetimeTracer", dependencies: ["CForkBarrier", "CLifetimeRuntime", "CTracerSymbols", "TracerBase"]),
]

let libraries: [Target] = [
    .target(name: "LifetimeTracerFoundation", dependencies: ["LifetimeTracer"]),
    .target(
        name: "LifetimeTracerTestKit", dependencies: ["CTracerSystem", "LifetimeTracer", "RetainPaths", "TracerBase"]),

    // The search for retain paths, in a frozen copy of the process.
    .target(name: "CRetainPaths", dependencies: ["CLifetimeRuntime"], cSettings: searchSettings),
    .target(name: "RetainPaths", dependencies: ["CRetainPaths", "LifetimeTracer", "TracerBase"]),

    // Maps requests to responses, without sockets.
    .target(name: "CTracerHeap"),
    .target(name: "CWebAssets"),
    .target(
        name: "LifetimeTracerDashboard",
        dependencies: ["CTracerHeap", "CTracerSystem", "CWebAssets", "LifetimeTracer", "RetainPaths", "TracerBase"]),

    // The only module that imports libmicrohttpd. It has no pkg-config entry: if the package is missing, the header's
    // own #error is the only message, and a program that uses the core alone sees none.
    .systemLibrary(name: "CTracerMicroHTTPD"),
    .target(
        name: "LifetimeTracerServer",
        dependencies: [
            "CForkBarrier", "CTracerMicroHTTPD", "CTracerSystem", "LifetimeTracer", "LifetimeTracerDashboard",
            "RetainPaths", "TracerBase",
        ]),
]

// The hooks of allocations, which trace classes that know nothing of the library, and their public start.
let everyClass: [Target] = [
    .target(name: "CEveryClass", dependencies: ["CForkBarrier", "CLifetimeRuntime"]),
    .target(name: "EveryClass", dependencies: ["CEveryClass", "LifetimeTracer"]),
    .target(name: "LifetimeTracerEveryClass", dependencies: ["EveryClass", "LifetimeTracer"]),
]

// The server for programs that do not link it, as a library that the loader adds to them.
let agent: [Target] = [
    .target(name: "CTracerAgent", dependencies: ["CTracerSystem"]),
    .target(
        name: "TracerAgent",
        dependencies: [
            "CTracerAgent", "CTracerSystem", "EveryClass", "LifetimeTracer", "LifetimeTracerDashboard",
            "LifetimeTracerServer", "RetainPaths", "TracerBase",
        ],
        exclude: ["exports.map"],
        linkerSettings: [
            // The loader searches the agent's symbols before those of the program's own libraries, so the agent must
            // not export any. Packages cannot depend on a product with unsafe flags; only this product has them.
            .unsafeFlags(
                ["-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/TracerAgent/exports.map"],
                .when(platforms: [.linux]))
        ]),
]

let programs: [Target] = [
    .systemLibrary(name: "CTracerSQLite"),
    .executableTarget(
        name: "tracer-server",
        dependencies: [
            "CTracerSQLite", "CTracerSystem", "LifetimeTracer", "LifetimeTracerDashboard", "LifetimeTracerFoundation",
            "LifetimeTracerServer", "RetainPaths", "TracerBase",
        ]),
]

let testSupport: [Target] = [
    // The timeouts of tests, in one place.
    .target(name: "Patience", path: "Tests/Patience"),
    // The support for child processes that tests of several modules share.
    .target(name: "ForkTesting", dependencies: ["LifetimeTracer", "Patience"], path: "Tests/ForkTesting"),
    // Threads that use the same stripes against each other, with the protocol's own code.
    .target(
        name: "StripeStress", dependencies: ["CLifetimeRuntime"], path: "Tests/StripeStress",
        cSettings: [.headerSearchPath("../../Sources/CLifetimeRuntime")]),

    // The traits and base classes for tests that must report a leak.
    .target(
        name: "KitTesting", dependencies: ["LifetimeTracer", "LifetimeTracerTestKit", "Patience", "RetainPaths"],
        path: "Tests/KitTesting"),

    // Leaks on purpose with the correct answers, and the program that checks the search against them.
    .target(
        name: "RetainShapes",
        dependencies: [
            "CRetainPaths", "LifetimeTracer", "Patience", "RetainPaths", "RetainShapesCLibrary",
            "RetainShapesEvolving", "RetainShapesLibraries", "RetainShapesNeighbour", "RetainShapesReactive",
        ],
        path: "Tests/RetainShapes/Shapes"),
    // The parts of the shapes that must be in other modules: superclasses, and a library of reactive operators.
    .target(name: "RetainShapesNeighbour", dependencies: ["LifetimeTracer"], path: "Tests/RetainShapes/Neighbour"),
    .target(name: "RetainShapesReactive", path: "Tests/RetainShapes/Reactive"),
    // A library with a stable interface. The runtime places the properties of its classes and of their subclasses.
    .target(
        name: "RetainShapesEvolving", path: "Tests/RetainShapes/Evolving",
        swiftSettings: [.unsafeFlags(["-enable-library-evolution"])]),
    // A library of C that keeps contexts of callbacks.
    .target(name: "RetainShapesCLibrary", path: "Tests/RetainShapes/CLibrary"),
    // Stand-ins for public libraries, which hold objects in the same way.
    .target(name: "RetainShapesLibraries", path: "Tests/RetainShapes/Libraries"),
    .executableTarget(
        name: "retain-shapes", dependencies: ["LifetimeTracer", "Patience", "RetainPaths", "RetainShapes"],
        path: "Tests/RetainShapes/Program"),
    // Explains one of its own objects while limits of the system are low.
    .executableTarget(
        name: "retain-limits", dependencies: ["LifetimeTracer", "LifetimeTracerServer", "RetainPaths", "TracerBase"],
        path: "Tests/RetainLimits"),

    // A program without the library, for the agent.
    .executableTarget(name: "plain-program", path: "Tests/PlainProgram"),

    // Another one, which ends with a signal source of Dispatch.
    .executableTarget(name: "signal-sources", path: "Tests/SignalSources"),

    // One in C, which ends in a signal handler.
    .executableTarget(name: "exit-in-handler", path: "Tests/ExitInHandler"),

    // Another one, with classes of many kinds, some of them in another module; and the same with the library in it.
    .target(name: "ClassZooNeighbour", path: "Tests/ClassZoo/Neighbour"),
    .target(name: "ClassZooKinds", dependencies: ["ClassZooNeighbour"], path: "Tests/ClassZoo/Kinds"),
    .executableTarget(name: "class-zoo", dependencies: ["ClassZooKinds"], path: "Tests/ClassZoo/Program"),
    .executableTarget(
        name: "linked-class-zoo",
        dependencies: ["ClassZooKinds", "LifetimeTracer", "LifetimeTracerEveryClass", "LifetimeTracerServer"],
        path: "Tests/ClassZoo/Linked"),

    // The rounds of work of a long-lived program, and the program that measures how much memory they leave.
    .target(
        name: "VolumeRounds", dependencies: ["LifetimeTracer", "LifetimeTracerDashboard", "LifetimeTracerFoundation"],
        path: "Tests/Volume/Rounds"),
    .systemLibrary(name: "CMalloc", path: "Tests/Volume/CMalloc"),
    .executableTarget(name: "volume", dependencies: ["CMalloc", "VolumeRounds"], path: "Tests/Volume/Program"),
]

let tests: [Target] = [
    .testTarget(name: "TracerBaseTests", dependencies: ["TracerBase"]),
    .testTarget(
        name: "LifetimeTracerTests",
        dependencies: [
            "CForkBarrier", "CLifetimeRuntime", "ForkTesting", "LifetimeTracer", "Patience", "StripeStress",
            "TracerBase",
        ]),
    .testTarget(name: "EveryClassTests", dependencies: ["CEveryClass", "EveryClass"]),
    .testTarget(
        name: "LifetimeTracerFoundationTests", dependencies: ["LifetimeTracer", "LifetimeTracerFoundation"]),
    .testTarget(
        name: "LifetimeTracerTestKitTests",
        dependencies: [
            "ForkTesting", "KitTesting", "LifetimeTracer", "LifetimeTracerTestKit", "RetainPaths",
        ]),
    // The code of Documentation/Testing.md, which other packages must be able to compile.
    .testTarget(
        name: "TestingGuideTests",
        dependencies: [
            "KitTesting", "LifetimeTracer", "LifetimeTracerFoundation", "LifetimeTracerTestKit", "RetainPaths",
        ],
        packageAccess: false),
    .testTarget(
        name: "RetainPathsTests",
        dependencies: [
            "CRetainPaths", "CTracerHeap", "ForkTesting", "KitTesting", "LifetimeTracer", "LifetimeTracerEveryClass",
            "LifetimeTracerTestKit", "Patience", "RetainPaths", "TracerBase", "retain-limits", "retain-shapes",
        ]),
    .testTarget(name: "VolumeTests", dependencies: ["ForkTesting", "VolumeRounds", "volume"]),
    .testTarget(
        name: "LifetimeTracerDashboardTests",
        dependencies: [
            "ForkTesting", "LifetimeTracer", "LifetimeTracerDashboard", "Patience", "RetainPaths", "TracerBase",
        ],
        exclude: ["Fixtures"]),
    .testTarget(
        name: "LifetimeTracerServerTests",
        dependencies: [
            "ForkTesting", "LifetimeTracer", "LifetimeTracerDashboard", "LifetimeTracerServer", "Patience",
            "TracerBase",
        ]),
    .testTarget(
        name: "TracerServerTests",
        dependencies: [
            "LifetimeTracer", "LifetimeTracerDashboard", "LifetimeTracerServer", "Patience", "RetainPaths",
            "TracerBase", "class-zoo", "exit-in-handler", "linked-class-zoo", "plain-program", "tracer-server",
        ],
        // An optimised build, or one for a sanitizer, contains only the tests that run in it.
        sources: chosenTests == nil ? nil : ["EachBuild"]),
]

// The test targets to build, and the support that they need.
let testing: [Target] = {
    guard let chosenTests else { return testSupport + tests }
    let support = Dictionary(uniqueKeysWithValues: testSupport.map { ($0.name, $0) })
    var chosen = tests.filter { chosenTests.contains($0.name) }
    var needed: Set<String> = []
    var index = 0
    while index < chosen.count {
        for case .byNameItem(let name, _) in chosen[index].dependencies where needed.insert(name).inserted {
            if let target = support[name] { chosen.append(target) }
        }
        index += 1
    }
    return chosen
}()

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
        .library(name: "LifetimeTracerEveryClass", targets: ["LifetimeTracerEveryClass"]),
        .library(name: "TracerAgent", type: .dynamic, targets: ["TracerAgent"]),
        .executable(name: "tracer-server", targets: ["tracer-server"]),
    ],
    targets: base + core + libraries + everyClass + agent + programs + testing,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
