import Dispatch

/// A program with an interface.
///
///     @main
///     struct Player: App {
///       var body: some Scene {
///         WindowGroup { PlayerView(name: "Song") }
///       }
///     }
@MainActor @preconcurrency
public protocol App {
  /// The type of the program's scenes.
  associatedtype Body: Scene

  /// The program's scenes.
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }

  /// Makes the program.
  @MainActor @preconcurrency init()
}

extension App {
  /// Runs the program on the main queue, and prints what is shown after each update. It never returns.
  ///
  /// A program with a front end makes a ``ViewHost`` instead.
  @_disfavoredOverload
  public static func main() {
    let host = ViewHost(app: Self(), scheduler: DispatchQueue.main)
    host.onUpdate = { [unowned host] in print(host) }
    withExtendedLifetime(host) { dispatchMain() }
  }
}

/// An independent part of a program's interface, such as a window.
@MainActor @preconcurrency
public protocol Scene {
  /// The type of the scene's body.
  associatedtype Body: Scene

  /// The scene's content.
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }

  nonisolated static func _makeScene(_ scene: Self, _ inputs: _ViewInputs)
}

extension Scene {
  nonisolated public static func _makeScene(_ scene: Self, _ inputs: _ViewInputs) {
    inputs.place(SceneView(scene: scene))
  }
}

extension Scene where Body == Never {
  /// A primitive scene has no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// Makes one scene of several.
@resultBuilder
public struct SceneBuilder {
  /// One scene.
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
  /// Several scenes.
  public static func buildBlock<each Content: Scene>(_ content: repeat each Content) -> some Scene {
    SceneGroup { inputs in
      var index = 0
      func make<S: Scene>(_ scene: S) {
        inputs.step(.index(index)) { S._makeScene(scene, inputs) }
        index += 1
      }
      repeat make(each content)
    }
  }
}

nonisolated private struct SceneGroup: Scene {
  typealias Body = Never
  let make: (_ViewInputs) -> Void

  static func _makeScene(_ scene: Self, _ inputs: _ViewInputs) { scene.make(inputs) }
}

/// A window, or several of one kind.
nonisolated public struct WindowGroup<Content: View>: Scene {
  /// It has no body.
  public typealias Body = Never
  let title: String?
  let content: Content

  /// A window.
  public init(@ViewBuilder content: () -> Content) { (title, self.content) = (nil, content()) }

  /// A window with a title.
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    (self.title, self.content) = (String(title), content())
  }

  public static func _makeScene(_ scene: Self, _ inputs: _ViewInputs) {
    let window = PresentationView(kind: "Window", title: scene.title, content: scene.content)
    PresentationView<Content>._makeView(window, inputs)
  }
}

/// A scene with a body of its own.
nonisolated private struct SceneView<S: Scene>: View, Carrier {
  static var carriedField: String { "scene" }
  static var carriedName: String { shortName(of: S.self) }
  let scene: S

  @MainActor var body: some View { SceneParts(scene: scene.body) }
}

nonisolated struct SceneParts<S: Scene>: View {
  typealias Body = Never
  let scene: S

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) { S._makeScene(view.scene, inputs) }
}

nonisolated struct AppView<A: App>: View, Carrier {
  static var carriedField: String { "app" }
  static var carriedName: String { shortName(of: A.self) }
  let app: A

  @MainActor var body: some View { SceneParts(scene: app.body) }
}
