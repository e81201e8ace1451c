import Streams
import StreamsUI

/// The rows of views, which OpenCombine does not have.
extension StreamsRows {
  /// Changes the object of one of so many rows, each time of another, and updates.
  static func views(_ count: Int) -> Pipeline {
    nonisolated(unsafe) let items = (0..<count).map { _ in Item() }
    let host = MainActor.assumeIsolated { ViewHost(Rows(items: items)) }
    func update() { MainActor.assumeIsolated { try? host.update() } }
    update()
    return Pipeline { calls in
      for number in 0..<calls {
        items[number % count].number = number
        update()
      }
    }
  }

  private final class Item: ObservableObject, Identifiable {
    @Published var number = 0
  }

  private struct Row: View {
    @ObservedObject var item: Item

    var body: some View {
      let _ = add(item.number)
      Text("row")
    }
  }

  private struct Rows: View {
    let items: [Item]

    var body: some View { ForEach(items) { Row(item: $0) } }
  }
}
