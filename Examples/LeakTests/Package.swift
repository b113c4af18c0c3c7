// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LeakTests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "LifetimeTracer", path: "../..")],
    targets: [
        .target(
            name: "Screens",
            dependencies: [.product(name: "LifetimeTracer", package: "LifetimeTracer")]),
        // A test of each framework fails, because the first screen leaks.
        .testTarget(
            name: "SwiftTestingTests",
            dependencies: ["Screens", .product(name: "LifetimeTracerTestKit", package: "LifetimeTracer")]),
        .testTarget(
            name: "XCTestTests",
            dependencies: ["Screens", .product(name: "LifetimeTracerTestKit", package: "LifetimeTracer")]),
    ],
    swiftLanguageModes: [.v6]
)
