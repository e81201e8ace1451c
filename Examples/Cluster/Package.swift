// swift-tools-version:6.1
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "Streams") }

// Needs NATS' client library: Debian's libnats-dev.
let package = Package(
  name: "cluster",
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .executableTarget(
      name: "cluster-worker",
      dependencies: [
        product("Streams"), product("StreamsExtras"), product("StreamsNATS"), product("StreamsSchedulers"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
