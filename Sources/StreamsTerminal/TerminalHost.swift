import CNcurses
import Glibc
import Streams
import StreamsSchedulers
public import StreamsUI

/// Shows a view in the terminal, and does what a person presses.
///
///     import StreamsTerminal
///
///     try TerminalHost(PlayerView(name: "Song")).run()
///
/// A program with scenes needs no more than `@main`.
///
/// **What is shown.** A column is a column, a row is a row, and a unit of length is a line or a column. Pictures are characters
/// where there are some for them, and else their names. Text is broken into lines, as many as its line limit allows. A popover is
/// a box on top of the rest. What does not fit on the screen is scrolled to. The terminal is written to when the picture
/// changes.
///
/// **Keys.** Tab, Shift-Tab and the arrows move the focus; Return and the space bar tap and toggle; text is typed or pasted at the
/// end of a field, and Backspace removes it; Escape closes a popover. Ctrl-Z stops the program for a while; Ctrl-C ends
/// it, and outside of fields Q does too.
///
/// **Threads.** A host runs on the main thread, with an event loop of its own, which its view is updated on, and runs
/// what the main queue and the main actor have to do meanwhile. State may change on any thread.
///
/// **The terminal** is as it was when ``run()`` returns or throws, and when the program exits, gets a signal, or crashes.
@MainActor @preconcurrency
public final class TerminalHost {
  /// What the view is in. Environment values can be set in it.
  public let host: ViewHost
  private let loop: EventLoop
  private var isOver = false

  /// Makes a host of a view.
  public init<V: View>(_ view: V) throws(SystemError) {
    loop = try EventLoop()
    host = ViewHost(view, scheduler: loop)
    describeTerminal()
  }

  /// Makes a host of a program.
  public init<A: App>(app: A) throws(SystemError) {
    loop = try EventLoop()
    host = ViewHost(app: app, scheduler: loop)
    describeTerminal()
  }

  /// Some terminals say what their colors are: the last number is the background's.
  private func describeTerminal() {
    guard let colors = getenv("COLORFGBG").map({ String(cString: $0) }) else { return }
    if let background = colors.split(separator: ";").last.flatMap({ Int($0) }) {
      host.environment.colorScheme = background < 7 || background == 8 ? .dark : .light
    }
  }

  /// Ends ``run()``.
  public func stop() { isOver = true }

  /// Shows the view until a person ends it, or ``stop()`` does. A signal that ends programs ends this one, when the terminal
  /// is as it was.
  ///
  /// Throws a ``TerminalError``, or what is wrong with the view: one of `host.errors`. The view is shown once only.
  public func run() throws {
    nonisolated(unsafe) let messages = Lock<[String]>([])
    let report = ViewHost.report
    ViewHost.report = { message in messages.withLock { $0.append(message) } }
    defer {
      ViewHost.report = report
      messages.withLock { $0 }.forEach(report)
    }
    if let number = try use() {
      signal(number, SIG_DFL)
      raise(number)
    }
  }

  /// Returns the signal that has ended it.
  private func use() throws -> Int32? {
    // Only the main actor has it, which the compiler does not see of the local function in a release build.
    nonisolated(unsafe) let screen = try Screen()
    let signals = try Signals()
    defer { host.unmount() }
    var needsLayout = true
    host.onUpdate = { needsLayout = true }
    loop.runOnce()
    var size = screen.size
    var interaction = Interaction(host.tree, size: size)
    func refresh() throws {
      loop.runOnce()
      if let error = host.errors.first { throw error }
      if needsLayout || size != screen.size {
        (needsLayout, size) = (false, screen.size)
        interaction.show(host.tree, size: size)
      }
    }
    var mayHaveMore = false
    while true {
      try refresh()
      if isOver { return nil }
      screen.show(interaction.picture)
      let descriptors = [STDIN_FILENO, signals.descriptor, loop.descriptor, mainQueue]
      let hasHungUp = wait(descriptors, atMost: mayHaveMore ? 0 : -1)
      var keys = screen.keys(atMost: Self.keyLimit)[...]
      mayHaveMore = keys.count == Self.keyLimit
      while !isOver, !keys.isEmpty {
        if interaction.press(&keys) { try refresh() } else { isOver = true }
      }
      if let number = signals.next() { return number }
      if hasHungUp { return nil }
    }
  }

  /// How many keys are taken before the picture is shown.
  private static let keyLimit = 4096
  private let mainQueue = _dispatch_get_main_queue_handle_4CF()

  /// Waits for any of the descriptors, with -1 for ever. Returns whether there is nothing more to come of the first.
  private func wait(_ descriptors: [Int32], atMost milliseconds: Int32) -> Bool {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&entries, nfds_t(entries.count), milliseconds)
    if entries[3].revents != 0 {
      var count = UInt64(0)
      read(mainQueue, &count, MemoryLayout.size(ofValue: count))
      _dispatch_main_queue_callback_4CF(nil)
    }
    return Int32(entries[0].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }
}

/// Why a terminal cannot be used.
public enum TerminalError: Error, Hashable, CustomStringConvertible {
  /// The standard input or output is not a terminal.
  case noTerminal
  /// Nothing is known of a terminal of this name.
  case unknownTerminal(String)
  /// The system has no descriptor left.
  case system(code: Int32)

  /// Why it cannot.
  public var description: String {
    switch self {
    case .noTerminal: "the standard input and output are not a terminal"
    case .unknownTerminal(let name): "nothing is known of the terminal \"\(name)\": is TERM right?"
    case .system(let code): String(cString: strerror(code))
    }
  }
}

extension App {
  /// Shows the program in the terminal.
  @MainActor @preconcurrency
  public static func main() {
    do {
      try TerminalHost(app: Self()).run()
    } catch {
      // What is wrong with a view has been reported.
      if error is TerminalError || error is SystemError { ViewHost.report("\(error)") }
      exit(1)
    }
  }
}
