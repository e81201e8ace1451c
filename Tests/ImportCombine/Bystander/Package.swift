// swift-tools-version:5.9
import PackageDescription

// A package as most are that support Linux: it knows nothing of this library, and uses Combine where there is one.
let package = Package(
  name: "Bystander",
  products: [.library(name: "Bystander", targets: ["Bystander"])],
  targets: [.target(name: "Bystander")]
)
