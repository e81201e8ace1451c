import Observation
import Streams
import StreamsUI

/// The rows of views, which OpenCombine does not have.
extension StreamsRows {
  /// Changes the object of one of so many rows, each time of another, and updates.
  static func views(_ count: Int) -> Pipeline {
    changing((0..<count).map { _ in Item() }, { Rows(items: $0) { Row(item: $0) } }) { $0.number = $1 }
  }

  /// Changes one of so many objects of the standard library's kind, each time another one, and updates.
  static func observables(_ count: Int) -> Pipeline {
    changing((0..<count).map { _ in Model() }, { Rows(items: $0) { ModelRow(model: $0) } }) { $0.number = $1 }
  }

  private static func changing<Object: AnyObject, Content: View>(
    _ objects: [Object], _ view: @MainActor ([Object]) -> Content, _ change: @escaping (Object, Int) -> Void
  ) -> Pipeline {
    nonisolated(unsafe) let objects = objects
    let host = MainActor.assumeIsolated { ViewHost(view(objects)) }
    func update() { MainActor.assumeIsolated { try? host.update() } }
    update()
    var number = 0
    return Pipeline { calls in
      for _ in 0..<calls {
        // An observable object that is set to what it is has not changed.
        number += 1
        change(objects[number % objects.count], number)
        update()
      }
    }
  }

  private final class Item: ObservableObject, Identifiable {
    @Published var number = 0
  }

  @Observable fileprivate final class Model: Identifiable {
    var number = 0
  }

  private struct Row: View {
    @ObservedObject var item: Item

    var body: some View {
      let _ = add(item.number)
      Text("row")
    }
  }

  private struct ModelRow: View {
    let model: Model

    var body: some View {
      let _ = add(model.number)
      Text("row")
    }
  }

  private struct Rows<Item: Identifiable, Row: View>: View {
    let items: [Item]
    let row: (Item) -> Row

    var body: some View { ForEach(items) { row($0) } }
  }
}
