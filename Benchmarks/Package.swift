// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that programs that use the library neither see nor build it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "LifetimeTracer", path: "..")],
    targets: [
        // Measures the workloads, and prints one figure per line.
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CBareServer", "CBenchmarks", "Reporting",
                .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerServer", package: "LifetimeTracer"),
            ],
            // Without this option, LLVM merges the loops of all classes into one, which creates each object through a
            // function pointer.
            swiftSettings: [.unsafeFlags(["-Xllvm", "-swiftmergefunc-threshold=0"])]),
        // Measures searches for retain paths, in one process for each heap size.
        .executableTarget(
            name: "searches",
            dependencies: [
                "CBenchmarks", "Reporting", .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "RetainPaths", package: "LifetimeTracer"),
            ]),
        // A program without LifetimeTracer, which Scripts/bench runs alone and under `tracer-server run`.
        .executableTarget(name: "unprepared", dependencies: ["CBenchmarks"]),
        // Formats figures as tables, and compares figures with thresholds. Independent of the measurements.
        .target(name: "Reporting"),
        .target(name: "CBenchmarks"),
        // A server with libmicrohttpd alone and a small client, the scale for the cost of requests.
        .target(name: "CBareServer", linkerSettings: [.linkedLibrary("microhttpd")]),
        .testTarget(name: "ReportingTests", dependencies: ["Reporting"]),
        // Measures the test kit, which can only be used completely in a test.
        .testTarget(
            name: "TestKitMeasures",
            dependencies: [
                "Reporting", .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerTestKit", package: "LifetimeTracer"),
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu2x
)
