import CStreams
import Glibc
import Streams
import StreamsShims

/// What a stage has made of the first values of a batch.
///
/// It is used by its address only: while it is delivered, the calls that come from outside look at it. And it is not on
/// the stack: a function may switch to another one, which some runtimes put in the same place, and call from there.
struct GatheredPage {
  /// First, for its address is the page's.
  fileprivate var gathering = streams_gathering()
  /// What the downstream has returned, and the demand for what has been dropped.
  var demand = Subscribers.Demand.none
  /// Whether any of the results may own something.
  var mayOwn = false
  fileprivate let results: UnsafeMutablePointer<streams_value>

  /// How many results a page has room for: as many as fit with it into a kilobyte, which memory is quickly found for.
  static var capacity: Int {
    (1024 - MemoryLayout<GatheredPage>.stride) / MemoryLayout<streams_value>.stride
  }

  /// Runs `body` with an empty page for as many results of a stage. Returns the demand for what has come of it.
  @inline(__always)
  static func with(
    _ batch: UnsafeBufferPointer<Value>, of stage: StageEnds,
    _ body: (UnsafeMutablePointer<GatheredPage>, BatchProgress.Pointer) -> Void
  ) -> Subscribers.Demand {
    guard let page = make(min(batch.count, capacity), stage) else {
      stage.fail(StreamError(status: STREAMS_OUT_OF_MEMORY, "there is no memory for the results of a batch"))
      return .none
    }
    let progress = BatchProgress.begin(at: UnsafeRawPointer(batch.baseAddress))
    progress.pointee.follow(page.gathering.pointer(to: \.value)!, in: batch)
    defer { BatchProgress.end(progress) }
    Trampoline.through {
      streams_gathering_begin(page.gathering)
      body(page, progress)
      // After a cancellation from within a step nobody wants these, but they are to be released.
      page.deliver()
      streams_gathering_end(page.gathering)
    }
    defer { free(page) }
    return page.pointee.demand
  }

  @inline(__always)
  private static func make(_ count: Int, _ stage: StageEnds) -> UnsafeMutablePointer<GatheredPage>? {
    let size = MemoryLayout<GatheredPage>.stride
    guard let memory = malloc(size + count * MemoryLayout<streams_value>.stride) else { return nil }
    let results = (memory + size).assumingMemoryBound(to: streams_value.self)
    results.initialize(repeating: streams_value(), count: count)
    let page = memory.assumingMemoryBound(to: GatheredPage.self)
    page.initialize(to: GatheredPage(results: results))
    page.gathering.pointee.gatherer = UnsafeRawPointer(Unmanaged.passUnretained(stage).toOpaque())
    page.gathering.pointee.deliver = { page in
      UnsafeMutableRawPointer(page!).assumingMemoryBound(to: GatheredPage.self).deliver()
    }
    page.clear()
    return page
  }
}

extension UnsafeMutablePointer<GatheredPage> {
  @inline(__always)
  var gathering: UnsafeMutablePointer<streams_gathering> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: streams_gathering.self)
  }

  /// Where the next result belongs.
  @inline(__always)
  var end: UnsafeMutablePointer<streams_value> {
    gathering.pointee.end.assumingMemoryBound(to: streams_value.self)
  }

  /// For how many results there is room still.
  @inline(__always)
  var room: Int { GatheredPage.capacity - (end - pointee.results) }

  /// Adds the result that is in its place, and may own something.
  @inline(__always)
  func add() {
    pointee.mayOwn = true
    gathering.pointee.end = UnsafeMutableRawPointer(end + 1)
  }

  fileprivate func clear() {
    gathering.pointee.start = UnsafeMutableRawPointer(pointee.results)
    gathering.pointee.end = gathering.pointee.start
  }

  /// Delivers all results and makes room for others.
  func turn() {
    deliver()
    clear()
  }

  /// Delivers results, and releases what they own, if any of them may own something.
  fileprivate func deliver() {
    let start = gathering.pointee.start.assumingMemoryBound(to: streams_value.self)
    let count = end - start
    guard count > 0 else { return }
    let mayOwn = pointee.mayOwn
    // Before the delivery, in which calls come from outside.
    gathering.pointee.start = gathering.pointee.end
    pointee.mayOwn = false
    let stage = Unmanaged<StageEnds>.fromOpaque(gathering.pointee.gatherer)
    let demand = stage._withUnsafeGuaranteedRef {
      $0.downstream.receive(
        contentsOf: UnsafeBufferPointer(start: UnsafePointer(start).asValue, count: count))
    }
    pointee.demand += demand
    if mayOwn { for index in 0..<count { (start + index).destroyOwned() } }
  }
}
