import Foundation
import Observation
import Streams

/// A scene with the modifiers of a view.
nonisolated private struct ViewScene<Content: View>: Scene {
  typealias Body = Never
  let content: Content

  static func _makeScene(_ scene: Self, _ inputs: _ViewInputs) { Content._makeView(scene.content, inputs) }
}

extension Scene {
  nonisolated private func asView<Content: View>(_ modify: (SceneParts<Self>) -> Content) -> some Scene {
    ViewScene(content: modify(SceneParts(scene: self)))
  }

  /// Calls an action with the old and the new value when a value has changed.
  ///
  ///     WindowGroup { Player() }
  ///       .onChange(of: scenePhase) { _, phase in if phase == .background { save() } }
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some Scene {
    asView { $0.onChange(of: value, initial: initial, action) }
  }

  /// Calls an action when a value has changed.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some Scene {
    asView { $0.onChange(of: value, initial: initial, action) }
  }

  /// Sets a value for the views in the scene.
  nonisolated public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some Scene {
    asView { $0.environment(keyPath, value) }
  }

  /// Sets an observable object for the views in the scene, where `@Environment(Library.self)` finds it by its type.
  nonisolated public func environment<T: AnyObject & Observable>(_ object: T?) -> some Scene {
    asView { $0.environment(object) }
  }

  /// Sets an object for the views in the scene, where ``EnvironmentObject`` finds it by its type.
  nonisolated public func environmentObject<T: ObservableObject>(_ object: T) -> some Scene {
    asView { $0.environmentObject(object) }
  }

  /// Sets the store of all ``AppStorage`` properties in the scene that do not name one.
  nonisolated public func defaultAppStorage(_ store: UserDefaults) -> some Scene {
    asView { $0.defaultAppStorage(store) }
  }
}
