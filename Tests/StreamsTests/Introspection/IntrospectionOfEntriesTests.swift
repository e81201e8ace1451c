import Streams
import Testing

/// When a run is watched, and how it ends.
enum Watch: String, Codable, CaseIterable, Sendable, CustomTestStringConvertible {
  case untilItFinishes, untilItFails, untilItIsCancelled
  case fromTheMiddle, untilTheMiddle, fromWithinAValue

  var testDescription: String { rawValue }

  /// Whether the first subscriber is watched from its subscription to its end.
  var seesEverything: Bool { [.untilItFinishes, .untilItFails, .untilItIsCancelled].contains(self) }
}

/// Watches every publisher, operator and subject of the rule kit.
///
/// What is enabled watches the whole process, and so these tests have processes of their own.
@Suite struct IntrospectionOfEntriesTests {
  @Test(arguments: Watch.allCases)
  func eventsPairUp(_ watch: Watch) async {
    await #expect(processExitsWith: .success) { [watch] in
      for entry in Entry.all { Self.check(entry, watch) }
    }
  }

  private static func check(_ entry: Entry, _ watch: Watch) {
    let log = IntrospectionLog()
    let watched = run(entry, watch, log)
    let unwatched = run(entry, watch, nil)
    let name = Comment(rawValue: "\(entry.name), \(watch.rawValue)")
    #expect(!log.isEnabled, name)
    #expect(watched.trace == unwatched.trace, "\(entry.name), \(watch.rawValue): watching makes a difference")
    #expect(log.unpaired == [], name)
    if watch != .fromTheMiddle, watch != .fromWithinAValue { #expect(log.unannounced == [], name) }
    guard watch.seesEverything else { return }
    // A publisher that hands its subscriber on to another is seen, and then the other.
    #expect(log.count(.subscribe) >= 1, name)
    #expect(log.count(.subscription) == watched.subscriptionCount, name)
    #expect(log.count(.value) == watched.valueCount, name)
    #expect(log.count(.completion) == watched.completions.count, name)
  }

  /// Plays to a probe, watched by `log` while `watch` says so.
  private static func run(_ entry: Entry, _ watch: Watch, _ log: IntrospectionLog?) -> Probe {
    let probe = Probe()
    if watch == .fromWithinAValue {
      probe.onValue = { _ in
        log?.enable()
        return .none
      }
    }
    if watch != .fromTheMiddle, watch != .fromWithinAValue { log?.enable() }
    let run = Run(entry, probe)
    run.play(rounds: 6)
    if watch == .fromTheMiddle { log?.enable() }
    if watch == .untilTheMiddle { log?.disable() }
    run.play(rounds: 6)
    switch watch {
    case .untilItIsCancelled:
      probe.cancel()
      run.play(rounds: 2)
    case .untilItFails:
      run.fail()
    default:
      run.finish()
    }
    log?.disable()
    return probe
  }
}
