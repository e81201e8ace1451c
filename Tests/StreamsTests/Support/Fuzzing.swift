import Foundation

/// How much is generated, and what: `FUZZ_EXAMPLES` and `FUZZ_SEED` say otherwise.
enum Fuzzing {
  static func examples(or usual: Int) -> Int { number("FUZZ_EXAMPLES") ?? usual }
  static var seed: UInt64 { UInt64(number("FUZZ_SEED") ?? 1) }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}
