/// How a change would move on a screen. Nothing is drawn here, so it only travels with a ``Transaction``.
public struct Animation: Hashable, Sendable {
  /// What it is made of, such as `linear` or `delay(2)`.
  private let steps: [String]

  private init(_ steps: [String]) { self.steps = steps }

  private func adding(_ step: String) -> Animation { Animation(steps + [step]) }

  /// What the system takes.
  public static let `default` = Animation(["default"])
  /// At one speed.
  public static let linear = Animation(["linear"])
  /// Faster and faster.
  public static let easeIn = Animation(["easeIn"])
  /// Slower and slower.
  public static let easeOut = Animation(["easeOut"])
  /// Slow at both ends.
  public static let easeInOut = Animation(["easeInOut"])
  /// As a spring.
  public static let spring = Animation(["spring"])
  /// As a spring that swings.
  public static let bouncy = Animation(["bouncy"])
  /// As a spring that does not swing.
  public static let smooth = Animation(["smooth"])
  /// As a spring that hardly swings.
  public static let snappy = Animation(["snappy"])

  /// At one speed, for so many seconds.
  public static func linear(duration: Double) -> Animation { linear.adding("\(duration) s") }
  /// Faster and faster, for so many seconds.
  public static func easeIn(duration: Double) -> Animation { easeIn.adding("\(duration) s") }
  /// Slower and slower, for so many seconds.
  public static func easeOut(duration: Double) -> Animation { easeOut.adding("\(duration) s") }
  /// Slow at both ends, for so many seconds.
  public static func easeInOut(duration: Double) -> Animation { easeInOut.adding("\(duration) s") }
  /// As a spring with these properties.
  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
  ) -> Animation {
    spring.adding("response \(response), damping \(dampingFraction), blend \(blendDuration)")
  }
  /// As a spring that takes so many seconds.
  public static func spring(duration: Double, bounce: Double = 0) -> Animation {
    spring.adding("\(duration) s, bounce \(bounce)")
  }

  /// It, so many seconds later.
  public func delay(_ delay: Double) -> Animation { adding("delay \(delay)") }
  /// It, so many times as fast.
  public func speed(_ speed: Double) -> Animation { adding("speed \(speed)") }
  /// It, so often.
  public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
    adding("\(count) times\(autoreverses ? ", and back" : "")")
  }
  /// It, for ever.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    adding("for ever\(autoreverses ? ", and back" : "")")
  }
}

extension View {
  /// Animates the view when a value changes, which is not seen without a screen: it returns the view.
  nonisolated public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
}
