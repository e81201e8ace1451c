import CNcurses
import Glibc
import Streams
import StreamsSchedulers
public import StreamsUI

/// Shows a view in the terminal, and performs the user's actions.
///
///     import StreamsTerminal
///
///     try TerminalHost(PlayerView(name: "Song")).run()
///
/// A program with scenes needs only `@main`.
///
/// **Display.** One unit of length is a line or a column. A picture is shown as a character if there is one for it, otherwise as
/// its name. Text is broken into as many lines as its line limit allows. A popover is a box on top of the rest. Content that does
/// not fit on the screen can be scrolled to. The terminal is written to when the picture changes.
///
/// **Keys.** Tab, Shift-Tab and the arrows move the focus; Return and the space bar tap and toggle; text is typed or pasted at
/// the end of a field, and Backspace removes it; - and + change sliders and steppers, and move the rows of a list,
/// and Backspace deletes a row, where the list allows that; Return submits a field; Ctrl-R refreshes; Escape closes a popover. Ctrl-Z suspends the program; Ctrl-C ends it, and
/// outside fields Q does too.
///
/// **Threads.** A host runs on the main thread, with its own event loop, which updates its view, and also serves the main queue
/// and the main actor. State may change on any thread.
///
/// **The terminal** is restored when ``run()`` returns or throws, and when the program exits, gets a signal, or crashes.
@MainActor @preconcurrency
public final class TerminalHost {
  /// The host of the view. Environment values can be set in it.
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

  /// Some terminals report their colors: the last number is the background's.
  private func describeTerminal() {
    guard let colors = getenv("COLORFGBG").map({ String(cString: $0) }) else { return }
    if let background = colors.split(separator: ";").last.flatMap({ Int($0) }) {
      host.environment.colorScheme = background < 7 || background == 8 ? .dark : .light
    }
  }

  /// Ends ``run()``.
  public func stop() { isOver = true }

  /// Shows the view until the user or ``stop()`` ends it. A signal that ends programs also ends this one, after the terminal has
  /// been restored.
  ///
  /// Throws a ``TerminalError``, or an error of the view: one of `host.errors`. The view can be shown only once.
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
    // Only the main actor uses it, which the compiler does not see for the local function in a release build.
    nonisolated(unsafe) let screen = try Screen()
    let signals = try Signals()
    defer { host.unmount() }
    var needsLayout = true
    host.onUpdate = { needsLayout = true }
    loop.runOnce()
    var size = screen.size
    var interaction = Interaction(host.tree, size: size)
    func refresh() throws {
      interaction.meet(host)
      loop.runOnce()
      if let error = host.errors.first { throw error }
      if needsLayout || size != screen.size {
        (needsLayout, size) = (false, screen.size)
        interaction.show(host.tree, size: size)
      }
      interaction.meet(host)
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

  /// The number of keys that are read before the picture is shown.
  private static let keyLimit = 4096
  private let mainQueue = _dispatch_get_main_queue_handle_4CF()

  /// Waits for any of the descriptors; -1 waits forever. Returns whether the first one has reached its end.
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
  /// The terminal's name is unknown.
  case unknownTerminal(String)
  /// The system has no descriptor left.
  case system(code: Int32)

  /// Why the terminal cannot be used.
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
      // Errors of a view have been reported already.
      if error is TerminalError || error is SystemError { ViewHost.report("\(error)") }
      exit(1)
    }
  }
}
