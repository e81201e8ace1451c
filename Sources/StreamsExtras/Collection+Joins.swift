public import Streams

extension Collection where Element: Publisher {
  /// Sends arrays that combine the publishers' values in order: the first value of each, then the second of each, and so on.
  ///
  /// It does what `zip(_:)` does, for any number of publishers. Without any it finishes immediately.
  ///
  ///     let cancellable = [[1, 2].publisher, [3, 4].publisher].zip().sink { print($0) }
  ///     // [1, 3], [2, 4]
  public func zip() -> some Publisher<[Element.Output], Element.Failure> { ZipMany(self) }

  /// Sends arrays of the latest values of all publishers in the collection.
  ///
  /// It does what `combineLatest(_:)` does, for any number of publishers. Without any it finishes immediately.
  public func combineLatest() -> some Publisher<[Element.Output], Element.Failure> { CombineLatestMany(self) }

  /// Sends the values of all publishers in the collection as they come.
  ///
  /// Without any publishers it finishes immediately.
  public func merge() -> Publishers.MergeMany<Element> { Publishers.MergeMany(self) }

  /// Sends the signals of one of the publishers in the collection: the first to send anything.
  ///
  /// It does what ``Streams/Publisher/amb(with:)`` does, for any number of publishers. Without any it finishes immediately.
  public func amb() -> Publishers.AmbMany<Element> { Publishers.AmbMany(self) }
}
