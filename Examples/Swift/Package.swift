// swift-tools-version:6.1
import PackageDescription

let streams = Target.Dependency.product(name: "Streams", package: "Streams")

let package = Package(
  name: "examples",
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .executableTarget(name: "seattle", dependencies: [streams]),
    .executableTarget(name: "contact", dependencies: [streams]),
    .executableTarget(name: "weather", dependencies: [streams]),
    .executableTarget(name: "car", dependencies: [streams]),
    .executableTarget(name: "movies", dependencies: [streams]),
    .executableTarget(
      name: "listing", dependencies: [streams, .product(name: "StreamsProperty", package: "Streams")]),
    .executableTarget(name: "player", dependencies: [.product(name: "StreamsUI", package: "Streams")]),
    // Needs ncurses: Debian's libncurses-dev.
    .executableTarget(
      name: "jukebox", dependencies: [.product(name: "StreamsTerminal", package: "Streams")]),
  ],
  swiftLanguageModes: [.v6]
)
