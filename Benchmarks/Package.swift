// swift-tools-version: 6.2
import PackageDescription

// A package of its own: who uses the library neither sees nor builds it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "LifetimeTracer", path: "..")],
    targets: [
        // Measures; prints figures, a line each.
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CBenchmarks", "Reporting",
                .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerServer", package: "LifetimeTracer"),
            ],
            // Else the loops of all classes become one, which makes each object through a pointer to a function.
            swiftSettings: [.unsafeFlags(["-Xllvm", "-swiftmergefunc-threshold=0"])]),
        // Measures searches for holders; a process for each size of the heap.
        .executableTarget(
            name: "searches",
            dependencies: [
                "Reporting", .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "RetainPaths", package: "LifetimeTracer"),
            ]),
        // Figures to tables, and figures against thresholds. Knows nothing of what is measured.
        .target(name: "Reporting"),
        .target(name: "CBenchmarks"),
        .testTarget(name: "ReportingTests", dependencies: ["Reporting"]),
        // Measures the test kit, which only a test can use in full.
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
