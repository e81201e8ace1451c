// swift-tools-version:6.1
import PackageDescription

// A package of its own, so that the library itself depends on nothing.
let package = Package(
  name: "StreamsBenchmarks",
  dependencies: [
    .package(name: "Streams", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "Streams", package: "Streams"),
        .product(name: "StreamsProperty", package: "Streams"),
        .product(name: "StreamsUI", package: "Streams"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    // Programs whose sizes are compared.
    .executableTarget(name: "small-streams", dependencies: [.product(name: "Streams", package: "Streams")]),
    .executableTarget(
      name: "small-opencombine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),
  ],
  swiftLanguageModes: [.v5]
)
