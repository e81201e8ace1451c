import Glibc
import Plan
import Processes

/// Runs things in processes of their own, so that a trap does not end this one.
enum Isolation {
  enum Ending: Equatable {
    case exited(Int32)
    case trapped
    case hung
  }

  /// How many milliseconds a case may take; it takes one or two.
  static let patience: Int32 = 10_000

  /// Starts a child that runs `body` and nothing else.
  static func start(_ body: () -> Int32) -> pid_t {
    fflush(nil)
    let child = process_fork()
    if child != 0 { return child }
    // Traps are expected, and their messages and cores are not wanted.
    let nowhere = open("/dev/null", O_WRONLY)
    dup2(nowhere, 2)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] { Glibc.signal(signal, SIG_DFL) }
    _exit(body())
  }

  /// Reads what waitpid() says.
  static func ending(status: Int32) -> Ending {
    status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .trapped
  }

  static func run(_ body: () -> Int32) -> Ending {
    let child = start(body)
    let status = process_wait(child, patience)
    if status != -1 { return ending(status: status) }
    stop(child)
    return .hung
  }

  static func stop(_ child: pid_t) {
    kill(child, SIGKILL)
    _ = process_wait(child, patience)
  }

  /// Runs a case against a library in a process of its own. A trap is the last line of its trace.
  static func run(_ library: Library, _ plan: Case, _ options: RunOptions) -> [String] {
    buffer.reset()
    let ending = run {
      let trace = Trace()
      trace.onLine = { buffer.append($0) }
      library.run(plan, options, trace: trace)
      return 0
    }
    return switch ending {
    case .exited: buffer.lines
    case .trapped: buffer.lines + ["trapped"]
    case .hung: buffer.lines + ["hung"]
    }
  }

  /// The verdict on a case that may trap.
  static func verdict(on plan: Case) -> Comparison.Verdict {
    let ending = run {
      switch Comparison(plan, by: runHere).verdict {
      case .same: 0
      case .excluded: 1
      case .different: 2
      }
    }
    return switch ending {
    case .exited(0): .same
    case .exited(2): .different
    default: Comparison(plan, by: run).verdict
    }
  }

  private static let buffer = SharedText()
}

/// Text that a child writes and its parent reads, also if the child traps.
final class SharedText {
  private let memory: UnsafeMutableRawPointer
  private static let size = 1 << 20

  init() {
    guard let memory = process_share(Self.size) else { fatalError("no memory to share") }
    self.memory = memory
  }

  /// How much text there is.
  private var length: Int {
    get { memory.load(as: Int.self) }
    set { memory.storeBytes(of: newValue, as: Int.self) }
  }

  func reset() { length = 0 }

  func append(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    guard 8 + length + bytes.count <= Self.size else { return }
    (memory + 8 + length).copyMemory(from: bytes, byteCount: bytes.count)
    length += bytes.count
  }

  var lines: [String] {
    let text = String(decoding: UnsafeRawBufferPointer(start: memory + 8, count: length), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}
