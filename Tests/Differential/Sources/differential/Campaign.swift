import Glibc
import Plan
import Processes

/// Compares many cases in several processes.
struct Campaign {
  var seed: UInt64
  var count: Int
  /// When to stop, if before the count is reached.
  var deadline: time_t?
  var jobs: Int
  /// Only pipelines with this operator.
  var only: String?

  struct Totals {
    var compared = 0
    /// The seeds of the cases that ended their process.
    var stuck: [UInt64] = []
    var excluded = [Int](repeating: 0, count: exclusions.count)
    var different: [UInt64] = []
  }

  /// Runs everything. Returns what was found.
  func run() -> Totals {
    var totals = Totals()
    var workers = (0..<jobs).map { Worker(first: $0, step: jobs, campaign: self) }
    while !workers.isEmpty {
      for index in workers.indices.reversed() {
        switch workers[index].poll() {
        case .working: break
        case .done: workers.remove(at: index).add(to: &totals)
        case .stuck(let seed):
          // The case ended its process: once more, each library in a process of its own.
          totals.stuck.append(seed)
          switch Comparison(Generator.makeCase(seed: seed), by: Isolation.run).verdict {
          case .same: break
          case .excluded(let rule): totals.excluded[rule] += 1
          case .different: totals.different.append(seed)
          }
          workers[index].resume()
        }
      }
      usleep(2000)
    }
    return totals
  }

  var isOver: Bool { deadline.map { time(nil) >= $0 } ?? false }
}

/// A process that compares every so-many-th case, and what it found so far.
struct Worker {
  enum State {
    case working
    case done
    /// It trapped or hung at the case with this seed.
    case stuck(UInt64)
  }

  private static let differences = 1000
  private enum Slot {
    static let index = 0
    static let compared = 1
    static let different = 2
    static let excluded = 3
    static var seeds: Int { excluded + exclusions.count }
    static var count: Int { seeds + differences }
  }

  private let step: Int
  private let campaign: Campaign
  private let slots: UnsafeMutablePointer<Int>
  private var child: pid_t = 0
  private var lastIndex = -1
  private var lastProgress = time(nil)

  init(first: Int, step: Int, campaign: Campaign) {
    guard let memory = process_share(Slot.count * MemoryLayout<Int>.stride) else {
      fatalError("no memory to share")
    }
    self.step = step
    self.campaign = campaign
    slots = memory.assumingMemoryBound(to: Int.self)
    slots[Slot.index] = first
    start()
  }

  private func seed(at index: Int) -> UInt64 { campaign.seed &+ UInt64(index) }

  private mutating func start() {
    let (slots, campaign, step) = (slots, campaign, step)
    lastProgress = time(nil)
    child = Isolation.start {
      while slots[Slot.index] < campaign.count, !campaign.isOver {
        compare(seed(at: slots[Slot.index]))
        slots[Slot.index] += step
      }
      return 0
    }
  }

  private func compare(_ seed: UInt64) {
    let plan = Generator.makeCase(seed: seed)
    if let only = campaign.only, !plan.pipeline.names.contains(only) { return }
    slots[Slot.compared] += 1
    switch Comparison(plan, by: runHere).verdict {
    case .same: break
    case .excluded(let rule): slots[Slot.excluded + rule] += 1
    case .different:
      let count = slots[Slot.different]
      if count < Self.differences { slots[Slot.seeds + count] = Int(bitPattern: UInt(seed)) }
      slots[Slot.different] = count + 1
    }
  }

  mutating func poll() -> State {
    let status = process_wait(child, 0)
    if status == -1 {
      if slots[Slot.index] != lastIndex {
        lastIndex = slots[Slot.index]
        lastProgress = time(nil)
      }
      guard time(nil) - lastProgress > Int(Isolation.patience / 1000) else { return .working }
      Isolation.stop(child)
    } else if Isolation.ending(status: status) != .trapped {
      return .done
    }
    return .stuck(seed(at: slots[Slot.index]))
  }

  /// Goes on after the case that ended the process.
  mutating func resume() {
    slots[Slot.index] += step
    start()
  }

  func add(to totals: inout Campaign.Totals) {
    totals.compared += slots[Slot.compared]
    for rule in exclusions.indices { totals.excluded[rule] += slots[Slot.excluded + rule] }
    for index in 0..<min(slots[Slot.different], Self.differences) {
      totals.different.append(UInt64(bitPattern: Int64(slots[Slot.seeds + index])))
    }
  }
}
