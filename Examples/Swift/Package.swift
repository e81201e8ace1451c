// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "seattle",
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .executableTarget(name: "seattle", dependencies: [.product(name: "Streams", package: "Streams")])
  ],
  swiftLanguageModes: [.v6]
)
