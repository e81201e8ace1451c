// swift-tools-version:6.1
import PackageDescription

// On Apple's platforms the name Combine belongs to the platform's own module, and a module of the same name
// found in the build folder would hide it: there the product has one with another name, and nothing in it.
#if canImport(Darwin)
  let module = Target.target(name: "PlatformCombine")
#else
  let module = Target.target(
    name: "Combine", dependencies: [.product(name: "StreamsFoundation", package: "Streams")])
#endif

// A package of its own, because the names of targets are unique among all packages of a build: whoever has a
// module named Combine already, for platforms without one, can use Streams beside it.
let package = Package(
  name: "Combine",
  products: [.library(name: "Combine", targets: [module.name])],
  dependencies: [.package(name: "Streams", path: "..")],
  targets: [module],
  swiftLanguageModes: [.v6]
)
