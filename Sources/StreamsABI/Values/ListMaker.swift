import CStreams
import Streams
import StreamsShims

/// Makes lists of the same size, one after the other. A list of numbers that nobody has kept is used again: the next one then
/// allocates nothing.
final class ListMaker {
  /// The list that was made last, unless its items have owners, which it would keep alive.
  private let last = Cell<ListStorage?>(nil)

  /// A list of values that come from streams. It fails if it would be nested too deep.
  @inline(__always)
  func list(_ count: Int, _ item: (Int) -> Value) -> Result<Value, StreamError> {
    guard _fastPath(isKnownUniquelyReferenced(&last.value)), let list = last.value else {
      return newList(count, item)
    }
    if _fastPath(list.fill(count, item)) { return .success(Value(list)) }
    last.value = nil
    return Value.of(list)
  }

  /// Lends the list of a row's values to `deliver`, if the last list can be used again and the values have no owners. Else it gives
  /// the last list up, and returns nil. Whoever keeps the list counts the only reference beside this one.
  @inline(__always)
  func lend(
    _ row: UnsafeBufferPointer<Value>, to deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) -> Subscribers.Demand? {
    // What is made during the delivery is another list.
    guard var list = last.value.take(), isKnownUniquelyReferenced(&list), list.fill(copying: row) else {
      return nil
    }
    var value = list.borrowed
    let demand = _withUnprotectedUnsafeMutablePointer(to: &value) { deliver(UnsafePointer($0).asValue) }
    last.value = consume list
    return demand
  }

  @inline(never)
  private func newList(_ count: Int, _ item: (Int) -> Value) -> Result<Value, StreamError> {
    let made = Value.list(count, item)
    if case .success(let list) = made, let storage = list.owner, list.items.allSatisfy({ $0.owner == nil }) {
      last.value = unsafeDowncast(storage, to: ListStorage.self)
    }
    return made
  }
}
