import Combine
import MainLoop

/// Nobody runs `RunLoop.main` where the main function is asynchronous.
@main struct AsyncHost {
  static func main() async {
    let script = Script()
    while !script.isOver { try? await Task.sleep(for: .milliseconds(5)) }
  }
}
