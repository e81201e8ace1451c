// swift-tools-version:6.1
import PackageDescription

// Code as others write it for Apple's platforms: it imports Combine and nothing of ours. It is built twice: with
// the product of that name, and with a target of that name of its own, as the README shows both.
let hasOwnModule = Context.environment["COMBINE"] == "own"
let combine: Target.Dependency = hasOwnModule ? "Combine" : .product(name: "Combine", package: "Combine")

var targets: [Target] = [
  .target(name: "Extensions", dependencies: [combine], swiftSettings: [.swiftLanguageMode(.v5)]),
  .target(name: "Modern", dependencies: [combine], swiftSettings: [.swiftLanguageMode(.v6)]),
  .executableTarget(
    name: "probe", dependencies: [combine, "Extensions", "Modern"],
    swiftSettings: [.swiftLanguageMode(.v6)]),
]
if hasOwnModule {
  targets.append(
    .target(name: "Combine", dependencies: [.product(name: "StreamsFoundation", package: "Streams")]))
}

let package = Package(
  name: "ImportsCombine",
  dependencies: [
    hasOwnModule ? .package(name: "Streams", path: "../..") : .package(name: "Combine", path: "../../Combine")
  ],
  targets: targets
)
