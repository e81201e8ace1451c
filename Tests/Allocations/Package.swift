// swift-tools-version:6.1
import PackageDescription

// A package of its own: whoever links AllocationCounter has its malloc and free in place of libc's.
let package = Package(
  name: "StreamsAllocations",
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "allocations",
      dependencies: [
        "AllocationCounter", .product(name: "Streams", package: "Streams"),
        .product(name: "StreamsProperty", package: "Streams"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
