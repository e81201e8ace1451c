// swift-tools-version:6.3
import CompilerPluginSupport
import PackageDescription

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// What `import Combine` brings in is compiled in Swift 5's mode, with all that Swift 6 checks and changes. Of a module
// in Swift 6's mode, and of one that exports it again, the compiler warns whoever captures a type that is not Sendable
// in a closure that is, in Swift 5's mode and under `@preconcurrency import` too, where it says nothing about Apple's
// Combine.
let combineSettings: [SwiftSetting] =
  [.swiftLanguageMode(.v5)]
  + [
    "BareSlashRegexLiterals", "ConciseMagicFile", "DisableOutwardActorInference", "DynamicActorIsolation",
    "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability", "GlobalConcurrency",
    "ImplicitOpenExistentials",
    "InferSendableFromCaptures", "IsolatedDefaultValues", "NonfrozenEnumExhaustivity", "RegionBasedIsolation",
    "StrictConcurrency",
  ].map { .enableUpcomingFeature($0) }

// What the product Combine is made of.
//
// SwiftPM puts all modules into one folder, where any target of any package finds them, whether or not it depends on
// them: who says `#if canImport(Combine)` would get a module that may not be there yet, or not be linked. So that only
// those find it who depend on the product, the module is compiled from an interface by whoever imports it, and where
// that lies, the compiler is told by way of a file of pkg-config's. SwiftPM splits the name of such a file at spaces: in a
// folder with one in its path the module is an ordinary one.
//
// On Apple's platforms the name belongs to the platform's own module, which that in the folder would hide: there
// the product has a target with another name, and nothing in it.
#if canImport(Darwin)
  let combine = [Target.target(name: "PlatformCombine")]
#else
  let combine =
    Context.packageDirectory.contains(" ")
    ? [.target(name: "Combine", dependencies: ["StreamsFoundation"], swiftSettings: combineSettings)]
    : [
      Target.target(name: "PlatformCombine", dependencies: ["StreamsFoundation", "CombineInterface"]),
      .systemLibrary(
        name: "CombineInterface", pkgConfig: Context.packageDirectory + "/Sources/CombineInterface/combine.pc"
      ),
    ]
#endif

// StreamsNATS needs NATS' client library, Debian's libnats-dev. Without it, and with STREAMS_NATS=0, there is a module of that
// name that says so to whoever uses it, and no tests.
let natsFiles =
  ["/usr/include/nats/nats.h", "/usr/local/include/nats/nats.h"]
  + (Context.environment["PKG_CONFIG_PATH"] ?? "").split(separator: ":").map { "\($0)/libnats.pc" }
let hasNATS = Context.environment["STREAMS_NATS"] != "0" && natsFiles.contains { access($0, R_OK) == 0 }
let nats: [Target] =
  !hasNATS
  ? [.target(name: "StreamsNATS", path: "Sources/MissingNATS")]
  : [
    .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    // libstreams_nats.so, which `make nats` links by itself.
    .target(
      name: "CStreamsNATS", dependencies: ["CNats", "CStreams"],
      cSettings: [.headerSearchPath("../../Include")]),
    .target(
      name: "StreamsNATS",
      dependencies: ["Streams", "StreamsABI", "StreamsProperty", "CStreams", "CStreamsNATS"]),
    .testTarget(
      name: "StreamsNATSTests", dependencies: ["Streams", "StreamsExtras", "StreamsNATS", "StreamsProperty"]),
  ]

let package = Package(
  name: "Streams",
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "StreamsDispatch", targets: ["StreamsDispatch"]),
    .library(name: "StreamsFoundation", targets: ["StreamsFoundation"]),
    .library(name: "StreamsProperty", targets: ["StreamsProperty"]),
    .library(name: "StreamsExtras", targets: ["StreamsExtras"]),
    .library(name: "StreamsSchedulers", targets: ["StreamsSchedulers"]),
    .library(name: "StreamsUI", targets: ["StreamsUI"]),
    .library(name: "StreamsTerminal", targets: ["StreamsTerminal"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
    .library(name: "StreamsNATS", targets: ["StreamsNATS"]),
    // For code that says `import Combine`.
    .library(name: "Combine", targets: [combine[0].name]),
    // libstreams.so; `make` links it with the flags that C and Python programs need.
    .library(name: "streams", type: .dynamic, targets: ["StreamsABI"]),
  ],
  targets: [
    // What relies on the processor, the kernel, or the inside of the runtimes.
    .target(name: "StreamsMachine"),
    // What C can do and Swift cannot.
    .target(name: "StreamsShims", dependencies: ["StreamsMachine"]),
    .target(name: "Streams", dependencies: ["StreamsShims"], swiftSettings: combineSettings),
    .target(name: "StreamsDispatch", dependencies: ["Streams"], swiftSettings: combineSettings),
    .target(
      name: "StreamsFoundation", dependencies: ["Streams", "StreamsDispatch"], swiftSettings: combineSettings),
    // Schedulers that Combine does not have.
    .target(name: "StreamsSchedulers", dependencies: ["Streams", "StreamsShims"]),
    // What Combine does not have: for that, the names are other libraries' too.
    .target(name: "StreamsExtras", dependencies: ["Streams", "StreamsObservation", "StreamsShims"]),
    // Values that can be read now and watched from now on; Combine does not have them either.
    .target(name: "StreamsProperty", dependencies: ["Streams", "StreamsShims"]),
    // A tree of places that are evaluated again when what they have read changes: what StreamsUI stands on.
    .target(name: "StreamsScopes", dependencies: ["Streams", "StreamsShims"]),
    // What code reads of the standard library's observable objects.
    .target(name: "StreamsObservation", dependencies: ["Streams"]),
    // The compiler's helper that expands the macros of StreamsUI. It needs no other package, such as swift-syntax.
    .macro(name: "StreamsUIMacros"),
    // SwiftUI's state and data flow, without a screen.
    .target(
      name: "StreamsUI",
      dependencies: [
        "Streams", "StreamsFoundation", "StreamsObservation", "StreamsProperty", "StreamsScopes",
        "StreamsUIMacros",
      ]),
    // StreamsUI's views in a terminal. Only who uses it needs ncurses: Debian's libncurses-dev.
    .systemLibrary(name: "CNcurses"),
    .target(
      name: "StreamsTerminal", dependencies: ["Streams", "StreamsSchedulers", "StreamsUI", "CNcurses"]),
    .target(name: "StreamsTesting", dependencies: ["Streams", "StreamsSchedulers"]),
    // Publishers and operators that are written elsewhere, in callbacks.
    .target(name: "StreamsCallbacks", dependencies: ["Streams", "StreamsShims"]),
    .systemLibrary(name: "CStreams", path: "Include"),
    .target(
      name: "StreamsABI",
      dependencies: [
        "Streams", "StreamsCallbacks", "StreamsExtras", "StreamsProperty", "StreamsSchedulers",
        "StreamsScopes",
        "StreamsShims", "CStreams",
      ]),
    // Linked into the program of all tests; nobody calls it but a sanitizer.
    .target(name: "SanitizerDefaults", path: "Tests/SanitizerDefaults"),
    // Threads, with stacks of a given size, for tests.
    .target(name: "TestThreads", path: "Tests/TestThreads"),
    .testTarget(
      name: "StreamsTests",
      dependencies: [
        "Streams", "StreamsCallbacks", "StreamsExtras", "StreamsFoundation", "StreamsProperty",
        "StreamsSchedulers",
        "StreamsTesting", "SanitizerDefaults", "TestThreads",
      ],
      exclude: ["Rules/README.md"]),
    .testTarget(
      name: "StreamsFoundationTests",
      dependencies: ["Streams", "StreamsDispatch", "StreamsFoundation", "StreamsTesting"]),
    .testTarget(
      name: "StreamsPropertyTests",
      dependencies: ["Streams", "StreamsProperty", "StreamsTesting", "TestThreads"]),
    .testTarget(
      name: "StreamsUITests",
      dependencies: [
        "Streams", "StreamsObservation", "StreamsUI", "StreamsProperty", "StreamsSchedulers", "StreamsScopes",
      ]),
    .testTarget(name: "StreamsUIMacrosTests", dependencies: ["StreamsUIMacros"]),
    .testTarget(name: "StreamsTerminalTests", dependencies: ["StreamsTerminal"]),
    // Programs that were written for Combine, with another import.
    .testTarget(name: "ProgramTests", dependencies: ["Streams", "StreamsDispatch", "StreamsFoundation"]),
  ] + combine + nats,
  swiftLanguageModes: [.v6]
)
