import CNcurses
import Glibc

/// The terminal while the program uses it.
final class Screen {
  private let screen: OpaquePointer
  private var shown: Picture?
  private var isPasting = false

  init() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    guard let screen = terminal_open() else {
      throw .unknownTerminal(getenv("TERM").map { String(cString: $0) } ?? "")
    }
    self.screen = screen
    _ = Self.safeguards
  }

  deinit { terminal_close(screen) }

  /// Restores the terminal if the program exits or crashes while using it. A crash then goes on to the handler before this one.
  private static let safeguards: Void = {
    atexit { terminal_restore() }
    for crash in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      before[Int(crash)] = handle(crash) { number in
        terminal_restore()
        sigaction(number, &Screen.before[Int(number)], nil)
        raise(number)
      }
    }
  }()
  private nonisolated(unsafe) static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)

  var size: Size {
    var (rows, columns) = (Int32(0), Int32(0))
    terminal_measure(&rows, &columns)
    return Size(rows: Int(rows), columns: Int(columns))
  }

  /// Shows a picture, unless it is already shown.
  func show(_ picture: Picture) {
    if picture == shown { return }
    shown = picture
    terminal_begin(picture.scheme == "light" ? 1 : picture.scheme == "dark" ? 2 : 0)
    for (row, cells) in picture.rows.enumerated() {
      for (column, cell) in cells.enumerated() {
        guard let character = cell.character, cell != .blank else { continue }
        terminal_put(Int32(row), Int32(column), String(character), cell.style.rawValue)
      }
    }
    terminal_end(Int32(picture.caret?.row ?? -1), Int32(picture.caret?.column ?? 0))
  }

  /// The pressed keys that have a meaning, at most `limit`, because a pasted text may be long.
  func keys(atMost limit: Int) -> [Key] {
    var keys: [Key] = []
    var (code, isCode) = (UInt32(0), false)
    while keys.count < limit, terminal_key(&code, &isCode) {
      if isCode, code == TERMINAL_PASTE || code == TERMINAL_PASTED {
        isPasting = code == TERMINAL_PASTE
        continue
      }
      // Ctrl-Z.
      if !isCode, code == 26, !isPasting { terminal_stop() }
      let key = isCode ? Self.special[Int32(bitPattern: code)] : Self.key(code)
      if key == .interrupt { isPasting = false }
      if let key = isPasting ? key?.pasted : key { keys.append(key) }
    }
    return keys
  }

  private static let special: [Int32: Key] = [
    KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_BTAB: .backTab, KEY_ENTER: .enter,
    KEY_BACKSPACE: .backspace,
  ]

  private static func key(_ code: UInt32) -> Key? {
    switch code {
    case 3: .interrupt
    case 8, 127: .backspace
    case 9: .tab
    case 10, 13: .enter
    case 18: .refresh
    case 27: .escape
    default: code < 32 ? nil : Unicode.Scalar(code).map { .character(Character($0)) }
    }
  }
}

/// Sets the handler of a signal. Returns the one before.
private func handle(_ number: Int32, _ handler: @convention(c) (Int32) -> Void) -> sigaction {
  var (action, old) = (sigaction(), sigaction())
  action.__sigaction_handler.sa_handler = handler
  action.sa_flags = SA_ONSTACK
  sigaction(number, &action, &old)
  return old
}

/// A pipe that reports the signals that have come.
final class Signals {
  private nonisolated(unsafe) static var entrance: Int32 = -1
  private static let numbers = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  let descriptor: Int32
  private var before: [Int32: sigaction] = [:]

  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard terminal_pipe(&ends) == 0 else { throw .system(code: errno) }
    (descriptor, Self.entrance) = (ends[0], ends[1])
    for number in Self.numbers {
      before[number] = handle(number) { number in
        let code = errno
        var byte = UInt8(number)
        write(Signals.entrance, &byte, 1)
        errno = code
      }
    }
  }

  deinit {
    for (number, var action) in before { sigaction(number, &action, nil) }
    close(Self.entrance)
    close(descriptor)
  }

  /// A signal that must end the program, if one has come.
  func next() -> Int32? {
    var byte = UInt8(0)
    while read(descriptor, &byte, 1) == 1 { if byte != SIGWINCH { return Int32(byte) } }
    return nil
  }
}
