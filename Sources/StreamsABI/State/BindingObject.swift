import CStreams
import Streams
import StreamsProperty

/// The binding behind a handle.
///
/// It is set to values only. Where a function fails that is to make one, what is set in its place is the error, which goes
/// where the value would have gone, and is told there to the call that has set.
final class BindingObject {
  let binding: Binding<Outcome>
  /// How many it is derived over.
  let depth: Int

  init(_ binding: Binding<Outcome>, depth: Int) { (self.binding, self.depth) = (binding, depth) }

  /// What is derived reads, writes and releases what it is derived from on the stack, which so many do not exhaust.
  static let greatestDepth = 100

  /// Sets it. Throws what a function fails with.
  func set(_ value: Value) throws(StreamError) {
    let state = ThreadState.current
    state.settings += 1
    binding.wrappedValue = .success(value)
    state.settings -= 1
    guard let error = state.settingError else { return }
    state.settingError = nil
    throw error
  }

  /// Tells the call that sets, if it is on this thread: of what has been left to another one, nobody hears.
  static func note(_ error: StreamError) {
    if let state = ThreadState.existing, state.settings > 0 { state.settingError = error }
  }
}

extension Outcome {
  /// Passes a value on to what is to be set.
  @inline(__always)
  func set(_ set: (Value) throws(StreamError) -> Void) {
    do throws(StreamError) {
      try set(get())
    } catch {
      BindingObject.note(error)
    }
  }

  /// The item of a list at an index, or nil if there is none; an error stays what it is.
  func item(at index: Int) -> Outcome? {
    guard case .success(let list) = self else { return self }
    guard list.hasItem(at: index) else { return nil }
    return .success(list.items[index])
  }

  /// The list with another item at an index, or nil, which fails the call that sets, if there is none.
  func replacingItem(at index: Int, by item: Outcome) -> Outcome? {
    if case .success(let list) = self, !list.hasItem(at: index) {
      BindingObject.note(
        StreamError(status: STREAMS_INVALID_ARGUMENT, "the list has no item \(index) any more"))
      return nil
    }
    return flatMap { list in
      item.flatMap { item in Value.list(Int(list.size)) { $0 == index ? item : list.items[$0] } }
    }
  }
}

extension Value {
  fileprivate func hasItem(at index: Int) -> Bool {
    kind == STREAMS_VALUE_LIST.rawValue && index >= 0 && index < Int(size)
  }
}

extension Kind {
  static let binding = HandleKind<BindingObject>(STREAMS_KIND_BINDING)
}
