// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "Streams",
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
    // libstreams.so; `make` links it with the flags that C and Python programs need.
    .library(name: "streams", type: .dynamic, targets: ["StreamsABI"]),
  ],
  targets: [
    // What libc offers and Swift does not import.
    .target(name: "StreamsShims"),
    .target(name: "Streams", dependencies: ["StreamsShims"]),
    .target(name: "StreamsTesting", dependencies: ["Streams"]),
    .systemLibrary(name: "CStreams", path: "Include"),
    .target(name: "StreamsABI", dependencies: ["Streams", "StreamsShims", "CStreams"]),
    .testTarget(name: "StreamsTests", dependencies: ["Streams", "StreamsTesting"]),
  ],
  swiftLanguageModes: [.v6]
)
