import Foundation
import StreamsObservation
import StreamsSchedulers
import StreamsUI
import Synchronization
import Testing

/// Views of the standard library's observable objects.
@MainActor @Suite struct ObservableTests {
  @Observable final class Song: Identifiable {
    let id: Int
    var title = "untitled"
    var plays = 0
    var isPlayed: Bool {
      get { plays > 0 }
      set { plays = newValue ? 1 : 0 }
    }
    var label: String { "\(title) (\(plays))" }
    init(_ id: Int = 0, title: String = "untitled") { (self.id, self.title) = (id, title) }
  }

  private struct TitleView: View {
    let song: Song
    var body: some View { Text(song.title) }
  }

  private struct LabelView: View {
    let song: Song
    var body: some View { Text(song.label) }
  }

  private struct Owner: View {
    @State private var song = Song()
    var body: some View {
      TitleView(song: song)
      LabelView(song: song)
      Button("play") { song.plays += 1 }
      Button("rename") { song.title = "Air" }
    }
  }

  @Test func onlyWhoReadsAPropertyIsEvaluated() throws {
    let host = ViewHost(Owner())
    #expect(try host.evaluated() == ["Owner", "TitleView", "LabelView"])
    #expect(try host.evaluated { try host.tap("play") } == ["LabelView"])
    #expect(try host.evaluated { try host.tap("rename") } == ["TitleView", "LabelView"])
    #expect(host.texts == ["Air", "Air (1)", "play", "rename"])
    #expect(try host.evaluated { try host.tap("rename") } == [])
  }

  private struct Rows: View {
    @Bindable var list: SongList
    var body: some View { ForEach(list.songs) { TitleView(song: $0) } }
  }

  @Observable final class SongList {
    var songs: [Song] = []
    var chosen: Song?
  }

  @Test func oneOfAThousandIsOneEvaluation() throws {
    let list = SongList()
    list.songs = (0..<1000).map { Song($0) }
    let host = ViewHost(Rows(list: list))
    #expect(try host.evaluated().count == 1001)
    #expect(try host.evaluated { list.songs[500].title = "new" } == ["TitleView"])
    #expect(try host.evaluated { list.songs[500].plays += 1 } == [])
    #expect(try host.evaluated { list.songs.swapAt(1, 2) } == ["Rows"])
    #expect(try host.evaluated { list.songs.append(Song(1000)) } == ["Rows", "TitleView"])
    #expect(host.texts[500] == "new")
  }

  private struct Chosen: View {
    let list: SongList
    var body: some View {
      ForEach(list.songs) { Text($0.title) }
      Text(list.chosen?.title ?? "none")
    }
  }

  @Test func whatContentClosuresReadCounts() throws {
    let list = SongList()
    list.songs = [Song(1), Song(2)]
    let host = ViewHost(Chosen(list: list))
    try host.update()
    #expect(try host.evaluated { list.songs[1].title = "b" } == ["Chosen"])
    #expect(try host.evaluated { list.chosen = list.songs[1] } == ["Chosen"])
    #expect(try host.evaluated { list.chosen?.title = "c" } == ["Chosen"])
    #expect(host.texts == ["untitled", "c", "c"])
    let former = list.songs[1]
    #expect(try host.evaluated { (list.chosen, list.songs) = (nil, []) } == ["Chosen"])
    #expect(try host.evaluated { former.title = "d" } == [])
  }

  private struct Editor: View {
    @Bindable var song: Song
    var body: some View {
      TextField("Title", text: $song.title)
      Toggle("Played", isOn: $song.isPlayed)
    }
  }

  @Test func bindings() throws {
    let song = Song()
    let host = ViewHost(Editor(song: song))
    #expect(try host.evaluated() == ["Editor"])
    try host.type("Air", into: "Title")
    try host.toggle("Played")
    #expect(song.title == "Air" && song.plays == 1)
    #expect(try host.evaluated { song.title = "Aria" } == [])
    #expect(host.find("Played")?.attributes["isOn"] == "true")
    #expect(host.find("Title")?.attributes["value"] == "Aria")
  }

  private struct Reader: View {
    @Environment(Song.self) private var song
    var body: some View { Text(song.title) }
  }

  private struct OptionalReader: View {
    @Environment(Song.self) private var song: Song?
    var body: some View { Text(song?.title ?? "none") }
  }

  private struct Outer: View {
    let list: SongList
    var body: some View {
      OptionalReader()
      Reader().environment(list.chosen)
      OptionalReader().environment(nil as Song?)
    }
  }

  @Test func theEnvironment() throws {
    let list = SongList()
    list.chosen = Song(title: "a")
    let host = ViewHost(Outer(list: list).environment(Song(title: "top")))
    try host.update()
    #expect(host.texts == ["top", "a", "none"])
    #expect(try host.evaluated { list.chosen?.title = "b" } == ["Reader"])
    #expect(try host.evaluated { list.chosen = Song(title: "c") } == ["Outer", "Reader"])
    #expect(host.texts == ["top", "c", "none"])
    list.chosen = nil
    #expect(throws: ViewHost.MissingObject.self) { try host.update() }
    list.chosen = Song(title: "d")
    try host.update()
    #expect(host.texts == ["top", "d", "none"])
  }

  private struct Counting: View {
    let song: Song
    @State private var count = 0
    var body: some View { Button("\(song.title) \(count)") { count += 1 } }
  }

  @Test func nothingGrows() throws {
    let song = Song()
    let host = ViewHost(Counting(song: song))
    try host.update()
    try host.update()
    for number in 0..<10_000 {
      try host.tap("untitled \(number)")
      try host.update()
    }
    let changes = Atomic(0)
    host.onEvaluation = { _ in changes.add(1, ordering: .relaxed) }
    song.title = "new"
    try host.update()
    #expect(changes.load(ordering: .relaxed) == 1)
  }

  /// What was left behind would be called, too.
  @Test func registrationsAreTakenBack() {
    let song = Song()
    let calls = Atomic(0)
    let reads = ObservableReads { calls.add(1, ordering: .relaxed) }
    for _ in 0..<10_000 { _ = reads.track { song.title } }
    song.title = "new"
    #expect(calls.load(ordering: .relaxed) == 1)
    song.plays = 1
    reads.forget()
    song.title = "other"
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  /// Whether or not the object has changed since it was read, it keeps nothing of who does not read it any more.
  @Test(arguments: [[], ["new"], ["new", "newer"]])
  func nothingIsLeftAtAnObjectThatLivesOn(titles: [String]) {
    final class Token: Sendable {}
    let song = Song()
    weak var left: Token?
    do {
      let token = Token()
      left = token
      let reads = ObservableReads { withExtendedLifetime(token) {} }
      _ = reads.track { song.title }
      for title in titles {
        song.title = title
        _ = reads.track { song.title }
      }
    }
    #expect(left == nil)
    #expect(song.title == titles.last ?? "untitled")
  }

  @Test func whatLeavesTheTreeIsReleased() throws {
    weak var weakSong: Song?
    do {
      let song = Song()
      weakSong = song
      let host = ViewHost(Counting(song: song))
      try host.update()
      try host.tap("untitled 0")
      try host.update()
      host.unmount()
    }
    #expect(weakSong == nil)
  }
}

/// Changes on other threads, by an object that any thread may use.
@MainActor @Suite struct ObservableThreadTests {
  @Observable final class Counter: Sendable {
    private let stored = Mutex(0)
    var count: Int {
      get {
        access(keyPath: \.count)
        return stored.withLock { $0 }
      }
      set { withMutation(keyPath: \.count) { stored.withLock { $0 = newValue } } }
    }
  }

  private struct CounterView: View {
    let counter: Counter
    var body: some View { Text("\(counter.count)") }
  }

  /// However a change falls between the reading and the registration of an update, the last one is shown.
  @Test func theLastChangeIsShown() throws {
    let counter = Counter()
    let host = ViewHost(CounterView(counter: counter))
    try host.update()
    for round in 0..<2000 {
      let isOver = Atomic(false)
      Thread {
        for change in 1...5 { counter.count = 10 * round + change }
        isOver.store(true, ordering: .releasing)
      }.start()
      while !isOver.load(ordering: .acquiring) { try host.update() }
      try host.update()
      #expect(host.texts == ["\(10 * round + 5)"])
    }
  }

  @Test func aSchedulerShowsTheLastChange() throws {
    let counter = Counter()
    let queue = try SerialQueue()
    let host = ViewHost(CounterView(counter: counter), scheduler: queue)
    let done = DispatchSemaphore(value: 0)
    Thread {
      for change in 1...20_000 { counter.count = change }
      done.signal()
    }.start()
    done.wait()
    for _ in 0..<2 {
      queue.schedule { done.signal() }
      done.wait()
    }
    #expect(host.texts == ["20000"])
    host.unmount()
  }
}
