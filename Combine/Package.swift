// swift-tools-version:6.1
import PackageDescription

// A package of its own, because the names of targets are unique among all packages of a build: whoever has a
// module named Combine already, for platforms without one, can use Streams beside it.
let package = Package(
  name: "Combine",
  products: [.library(name: "Combine", targets: ["Combine"])],
  dependencies: [.package(name: "Streams", path: "..")],
  targets: [
    .target(
      name: "Combine",
      dependencies: ["Streams", "StreamsDispatch", "StreamsFoundation"].map {
        .product(name: $0, package: "Streams")
      })
  ],
  swiftLanguageModes: [.v6]
)
