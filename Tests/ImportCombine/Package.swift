// swift-tools-version:6.1
import PackageDescription

// Code as others write it for Apple's platforms: it imports Combine and nothing of ours.
let combine = Target.Dependency.product(name: "Combine", package: "Streams")

let package = Package(
  name: "ImportsCombine",
  dependencies: [.package(name: "Streams", path: "../.."), .package(path: "Bystander")],
  targets: [
    .target(name: "Extensions", dependencies: [combine], swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "Modern", dependencies: [combine], swiftSettings: [.swiftLanguageMode(.v6)]),
    // Without the conformances that Modern declares.
    .target(name: "Preconcurrency", dependencies: [combine], swiftSettings: [.swiftLanguageMode(.v6)]),
    // What is scheduled on the main run loop, and programs each of which has somebody else who serves it.
    .target(name: "MainLoop", dependencies: [combine], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "Hosted", dependencies: [combine, "MainLoop"], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "AsyncHost", dependencies: [combine, "MainLoop"], swiftSettings: [.swiftLanguageMode(.v6)]),
    // Depends on the product by way of another target.
    .target(name: "Indirect", dependencies: ["Extensions"]),
    .executableTarget(
      name: "probe",
      dependencies: [combine, "Bystander", "Extensions", "Indirect", "Modern", "Preconcurrency"],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
