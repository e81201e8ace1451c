import Streams

/// A piece that is an array's values.
final class ArrayPiece<Element>: _Piece {
  let values: [Element]

  init(_ values: [Element]) { self.values = values }

  var count: Int { values.count }

  func part(_ offset: Int, _ count: Int) -> any _Piece<Element> {
    ArrayPiece(Array(values[offset..<offset + count]))
  }

  func kept() -> any _Piece<Element> { self }

  func forEachPage(_ offset: Int, _ count: Int, _ body: (UnsafeBufferPointer<Element>) -> Bool) {
    values[offset..<offset + count].withUnsafeBufferPointer { _ = body($0) }
  }
}

/// A subscriber that takes pieces, and writes down the values of each.
final class PieceTaker<Input, Failure: Error>: Subscriber {
  var pieces: [[Input]] = []
  var completions = 0
  var subscription: (any Subscription)?
  /// What each piece returns.
  var more = Subscribers.Demand.none
  private let initialDemand: Subscribers.Demand

  init(_ initialDemand: Subscribers.Demand) { self.initialDemand = initialDemand }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(initialDemand)
  }

  func receive(_ input: Input) -> Subscribers.Demand { receive(ArrayPiece([input])) }
  func receive(completion: Subscribers.Completion<Failure>) { completions += 1 }

  func _pieceDelivery() -> ((any _Piece<Input>) -> Subscribers.Demand)? {
    { [unowned self] in receive($0) }
  }

  private func receive(_ piece: any _Piece<Input>) -> Subscribers.Demand {
    var values: [Input] = []
    piece.forEachPage { page in
      values += Array(page)
      return true
    }
    pieces.append(values)
    return more
  }
}
