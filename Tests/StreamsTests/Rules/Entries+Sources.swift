import Streams
import StreamsCallbacks

extension Entry {
  static let sources: [Entry] = [
    Entry("Just", .fixed, except: .sendsItsValueWithTheEnd) { Just($0.value(1)) },
    Entry("Optional.publisher", .fixed, except: .sendsItsValueWithTheEnd) { Optional($0.value(1)).publisher },
    Entry("Optional.publisher of nil", .fixed, [.sendsNoValues], except: .completesAnyway) { _ in
      Int?.none.publisher
    },
    Entry("Result.publisher", .fixed, except: .sendsItsValueWithTheEnd) {
      Result<Value, TestFailure>.success($0.value(1)).publisher
    },
    Entry("Result.publisher of a failure", .fixed, [.sendsNoValues], except: .completesAnyway) { _ in
      Result<Int, TestFailure>.failure(TestFailure()).publisher
    },
    Entry("Empty", .fixed, [.sendsNoValues], except: .completesAnyway) { _ in Empty<Int, TestFailure>() },
    Entry("Empty that never finishes", .fixed, [.sendsNoValues, .neverEnds]) { _ in
      Empty<Int, TestFailure>(completeImmediately: false)
    },
    Entry("Fail", .fixed, [.sendsNoValues], except: .completesAnyway) { _ in
      Fail<Int, TestFailure>(error: TestFailure())
    },
    Entry("Record", .fixed) { bench in
      Record<Value, TestFailure>(output: (1...6).map(bench.value), completion: .finished)
    },
    Entry("Record of a failure", .fixed) { bench in
      Record<Value, TestFailure>(output: (1...6).map(bench.value), completion: .failure(TestFailure()))
    },
    Entry("Sequence of an array", .fixed) { bench in (1...12).map(bench.value).publisher },
    Entry("PiecePublisher", .fixed) { bench in
      let values = (1...12).map(bench.value)
      return PiecePublisher<[Value], TestFailure>(ArrayPiece(values), values: values)
    },
    Entry("Sequence without batches", .fixed) { bench in
      let next = bench.tracked { (value: Value) in value < 12 ? bench.value(value.number + 1) : nil }
      return Publishers.Sequence<UnfoldFirstSequence<Value>, Never>(
        sequence: sequence(first: bench.value(1), next: next))
    },
    Entry("Deferred", except: .passesOn + .isBesideTheStream) { bench in
      Deferred(createPublisher: bench.tracked { [source = bench.source()] in source })
    },
    Entry("AnyPublisher", except: .passesOn + .isBesideTheStream) { $0.source() },
  ]

  static let subjects: [Entry] = [
    Entry("PassthroughSubject", .hot) {
      $0.subject(PassthroughSubject<Value, TestFailure>(), failure: TestFailure())
    },
    Entry("CurrentValueSubject", .hot) {
      $0.subject(CurrentValueSubject<Value, TestFailure>(0), failure: TestFailure())
    },
    Entry("Future", .hot, except: .sendsOneValue) { bench in
      Future<Value, TestFailure> { promise in
        bench.register(
          ClosureFeed(
            send: { promise(.success($0)) },
            end: { fails in promise(fails ? .failure(TestFailure()) : .success(0)) }))
      }
    },
    Entry("Published.Publisher", .hot, [.neverEnds]) { bench in
      let model = Model()
      bench.register(ClosureFeed { model.value = $0 })
      return model.$value
    },
    Entry("ObservableObjectPublisher", .hot, [.neverEnds], except: .ignoresDemand) { bench in
      let publisher = ObservableObjectPublisher()
      bench.register(ClosureFeed { _ in publisher.send() })
      return publisher
    },
  ]

  private final class Model {
    @Published var value: Value = 0
  }
}

extension Entry.Exceptions {
  /// What is true of everything that hands its upstream's subscription to its downstream.
  static let passesOn: Self = [
    .lateSignalsAfterEnd: "passes on whatever the upstream sends",
    .lateSignalsAfterCancel: "the cancellation goes to the upstream directly",
    .cancelOnce: "each cancellation goes to the upstream directly",
    .raceOfCancels: "each cancellation goes to the upstream directly",
    .requestAfterCancel: "each request goes to the upstream directly",
    .secondSubscription: "passes on each subscription",
    .obeysUpstreams: "each request goes to the upstream directly",
    .releasesUpstreams: "the downstream has the upstream's subscription itself",
  ]

  /// What is true of a single value that ends its stream.
  static let sendsItsValueWithTheEnd: Self = [
    .cancelStops: "the value and the completion are sent in one go"
  ]

  /// What is true of results that come with the end.
  static let sendsOneValue: Self = [
    .cancelStops: "the value and the completion are sent in one go",
    .cancelStopsBatches: "the value and the completion are sent in one go",
    .finishNeedsNoDemand: "the end brings a value, which waits for demand",
  ]

  /// What is true of streams without values, whose subscription does nothing.
  static let completesAnyway: Self = [
    .cancelInSubscription: "the completion follows the subscription, cancelled or not"
  ]

  static let ignoresDemand: Self = [
    .demandIsKept: reasonToIgnoreDemand, .demandAddsUp: reasonToIgnoreDemand,
    .returnedDemandAddsUp: reasonToIgnoreDemand, .requestInSubscription: reasonToIgnoreDemand,
    .sendInValue: reasonToIgnoreDemand,
  ]

  private static let reasonToIgnoreDemand = "whoever has requested anything gets everything"

  /// What is true of publishers that are no part of the stream once it has been subscribed to.
  fileprivate static let isBesideTheStream: Self = [
    .behindReplaceEmpty: "the subscriber is the end of the stream",
    .behindEarlyEnd: "the subscriber is the end of the stream",
  ]

  static let hasATrigger: Self = [.refusesAfterCancel: "one of its upstreams only triggers"]

  /// What is true of operators that send on whatever comes after the end.
  static let passesLateValuesOn: Self = [
    .lateSignalsAfterEnd: "passes on values that the upstream sends after the end",
    .lateSignalsAfterCancel: "passes on values that the upstream sends after it was cancelled",
  ]
}
