// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "Streams",
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
  ],
  targets: [
    // What libc offers and Swift does not import.
    .target(name: "StreamsShims"),
    .target(name: "Streams", dependencies: ["StreamsShims"]),
    .target(name: "StreamsTesting", dependencies: ["Streams"]),
    .testTarget(name: "StreamsTests", dependencies: ["Streams", "StreamsTesting"]),
  ],
  swiftLanguageModes: [.v6]
)
