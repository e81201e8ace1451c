// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "Streams",
  products: [
    .library(name: "Streams", targets: ["Streams"])
  ],
  targets: [
    .target(name: "StreamsShims"),
    .target(
      name: "Streams",
      dependencies: ["StreamsShims"],
      swiftSettings: [.enableExperimentalFeature("RawLayout")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
