import CStreams
import Glibc
import Streams
import StreamsShims

/// The results that a stage has made of the first values of a batch.
///
/// It is used only by its address, because calls from outside read it during the delivery. It is not on the stack: a function may
/// switch to another stack, which some runtimes put in the same place, and call from there.
struct GatheredPage {
  /// First, because its address is the page's.
  fileprivate var gathering = streams_gathering()
  /// The demand that the downstream has returned, and that for dropped values.
  var demand = Subscribers.Demand.none
  /// Whether any result may own something.
  var mayOwn = false
  fileprivate let results: UnsafeMutablePointer<streams_value>

  /// The number of results with room in a page: together a kilobyte, which is quickly allocated.
  static var capacity: Int {
    (1024 - MemoryLayout<GatheredPage>.stride) / MemoryLayout<streams_value>.stride
  }

  /// Runs `body` with an empty page for that many results of a stage. Returns the resulting demand.
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
      // After a cancellation within a step these are not delivered, but must be released.
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

  /// The place of the next result.
  @inline(__always)
  var end: UnsafeMutablePointer<streams_value> {
    gathering.pointee.end.assumingMemoryBound(to: streams_value.self)
  }

  /// The number of results that there is still room for.
  @inline(__always)
  var room: Int { GatheredPage.capacity - (end - pointee.results) }

  /// Adds the result in that place, which may own something.
  @inline(__always)
  func add() {
    pointee.mayOwn = true
    gathering.pointee.end = UnsafeMutableRawPointer(end + 1)
  }

  fileprivate func clear() {
    gathering.pointee.start = UnsafeMutableRawPointer(pointee.results)
    gathering.pointee.end = gathering.pointee.start
  }

  /// Delivers all results, and makes room for others.
  func turn() {
    deliver()
    clear()
  }

  /// Delivers results, and releases what they own if any of them may own something.
  fileprivate func deliver() {
    let start = gathering.pointee.start.assumingMemoryBound(to: streams_value.self)
    let count = end - start
    guard count > 0 else { return }
    let mayOwn = pointee.mayOwn
    // Before the delivery, during which calls come from outside.
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
