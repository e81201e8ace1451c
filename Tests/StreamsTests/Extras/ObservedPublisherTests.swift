import Foundation
import Observation
import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

@Suite struct ObservedPublisherTests {
  @Observable final class Song {
    var title = "a"
    var plays = 0
  }

  @Test func sendsTheValueNowAndAfterEachChange() {
    let song = Song()
    var values: [String] = []
    let cancellable = song.publisher(for: \.title).sink { values.append($0) }
    song.title = "b"
    song.plays = 1
    song.title = "c"
    #expect(values == ["a", "b", "c"])
    cancellable.cancel()
    song.title = "d"
    #expect(values == ["a", "b", "c"])
  }

  @Test func followsWhatTheFunctionReads() {
    let song = Song()
    var values: [String] = []
    let cancellable = ObservedPublisher { song.plays > 1 ? song.title : "unknown" }.sink { values.append($0) }
    song.title = "b"
    song.plays = 2
    song.title = "c"
    #expect(values == ["unknown", "b", "c"])
    cancellable.cancel()
  }

  @Test func sendsTheLatestValueWhenItIsDemanded() {
    let song = Song()
    let recorder = RecordingSubscriber<String, Never>(initialDemand: .max(1))
    song.publisher(for: \.title).subscribe(recorder)
    for title in ["b", "c", "d"] { song.title = title }
    #expect(recorder.values == ["a"])
    recorder.request(.max(1))
    #expect(recorder.values == ["a", "d"])
    recorder.request(.max(1))
    song.title = "e"
    #expect(recorder.values == ["a", "d", "e"])
    recorder.cancel()
  }

  @Test func aSubscriberMayChangeIt() {
    let song = Song()
    var values: [Int] = []
    let cancellable = song.publisher(for: \.plays).sink { plays in
      values.append(plays)
      if plays < 100 { song.plays += 1 }
    }
    #expect(values == Array(0...100))
    cancellable.cancel()
  }

  @Test func aPublisherSetsAProperty() {
    let song = Song()
    let titles = PassthroughSubject<String, Never>()
    let cancellable = titles.assign(to: \.title, on: song)
    var values: [String] = []
    let other = song.publisher(for: \.title).sink { values.append($0) }
    titles.send("b")
    #expect(values == ["a", "b"])
    cancellable.cancel()
    other.cancel()
  }

  @Test func keepsTheObjectAndNothingAfterItsCancellation() {
    weak var known: Song?
    var cancellable: AnyCancellable?
    do {
      let song = Song()
      known = song
      cancellable = song.publisher(for: \.title).sink { _ in }
    }
    #expect(known != nil)
    cancellable?.cancel()
    cancellable = nil
    #expect(known == nil)
  }

  /// By an object that any thread may use.
  @Observable final class Counter: Sendable {
    private let stored = Mutex(0)
    var count: Int {
      get {
        access(keyPath: \.count)
        return stored.withLock { $0 }
      }
      set { withMutation(keyPath: \.count) { stored.withLock { $0 = newValue } } }
    }
    func add() { withMutation(keyPath: \.count) { stored.withLock { $0 += 1 } } }
  }

  @Test func endsWithTheLastValueOfTwoThreads() {
    for _ in 0..<200 {
      let counter = Counter()
      let last = Mutex(0)
      let cancellable = counter.publisher(for: \.count).sink { value in last.withLock { $0 = value } }
      DispatchQueue.concurrentPerform(iterations: 2) { _ in for _ in 0..<50 { counter.add() } }
      #expect(last.withLock { $0 } == 100)
      cancellable.cancel()
    }
  }
}
