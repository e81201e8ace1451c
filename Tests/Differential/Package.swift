// swift-tools-version:6.1
import PackageDescription

// A package of its own, so that the library itself depends on nothing.
let package = Package(
  name: "StreamsDifferential",
  dependencies: [
    .package(name: "Streams", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    // What is run: pipelines, scripts and traces, and where they come from. Knows neither library.
    .target(name: "Plan"),
    // The interpreter, compiled twice: the second folder is a link to the first.
    .target(
      name: "StreamsSide",
      dependencies: ["Plan", .product(name: "Streams", package: "Streams")],
      swiftSettings: [.define("STREAMS")]),
    .target(
      name: "OpenCombineSide",
      dependencies: ["Plan", .product(name: "OpenCombine", package: "OpenCombine")]),
    // fork(), which Swift does not import.
    .target(name: "Processes"),
    .executableTarget(
      name: "differential",
      dependencies: [
        "Plan", "StreamsSide", "OpenCombineSide", "Processes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ],
  swiftLanguageModes: [.v5]
)
