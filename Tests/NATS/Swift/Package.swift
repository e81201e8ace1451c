// swift-tools-version:6.1
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "Streams") }

// What tests and benchmarks run as processes of their own. Needs NATS' client library: Debian's libnats-dev.
let package = Package(
  name: "nats-processes",
  dependencies: [.package(name: "Streams", path: "../../..")],
  targets: [
    .executableTarget(name: "nats-worker", dependencies: [product("Streams"), product("StreamsNATS")]),
    .executableTarget(name: "nats-cases", dependencies: [product("Streams"), product("StreamsNATS")]),
    .executableTarget(name: "nats-reader", dependencies: [product("Streams"), product("StreamsNATS")]),
  ],
  swiftLanguageModes: [.v6]
)
