// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CoreOnly",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "LifetimeTracer", path: "../..")],
    targets: [
        .executableTarget(
            name: "CoreOnly",
            dependencies: [.product(name: "LifetimeTracer", package: "LifetimeTracer")]),
        .executableTarget(
            name: "Unprepared",
            dependencies: [
                .product(name: "LifetimeTracer", package: "LifetimeTracer"),
                .product(name: "LifetimeTracerEveryClass", package: "LifetimeTracer"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
