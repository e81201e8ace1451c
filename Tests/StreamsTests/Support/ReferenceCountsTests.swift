import StreamsShims
import Testing

/// Where the process has a single thread, the library for C counts references itself; how, is the Swift runtime's.
@Suite struct ReferenceCountsTests {
  private final class Watched {
    let end: () -> Void

    init(end: @escaping () -> Void) { self.end = end }

    deinit { end() }
  }

  private typealias Object = Unmanaged<Watched>

  private func counts(_ object: Object) -> UInt64 {
    object.toOpaque().load(fromByteOffset: 8, as: UInt64.self)
  }

  /// One reference, as libstreams learns it when it is loaded.
  private let one = UInt64(1) << 33

  @Test func aReferenceIsWhatTheRuntimeCounts() {
    let object = Object.passRetained(Watched {})
    let before = counts(object)
    _ = object.retain()
    #expect(counts(object) == before + one)
    object.release()
    #expect(counts(object) == before)
    object.release()
  }

  @Test func referencesAreAddedAndTaken() {
    var ends = 0
    let object = Object.passRetained(Watched { ends += 1 })
    #expect(streams_count_references(object.toOpaque(), 2 * one))
    object.release()
    #expect(streams_count_references(object.toOpaque(), 0 &- one))
    #expect(ends == 0)
    object.release()
    #expect(ends == 1)
  }

  @Test func theLastReferenceIsForTheRuntime() {
    var ends = 0
    let object = Object.passRetained(Watched { ends += 1 })
    let before = counts(object)
    #expect(!streams_count_references(object.toOpaque(), 0 &- one))
    #expect(counts(object) == before)
    object.release()
    #expect(ends == 1)
  }

  @Test func whatIsCountedInATableIsForTheRuntime() {
    let object = Object.passRetained(Watched {})
    weak let weakly = object.takeUnretainedValue()
    let before = counts(object)
    #expect(!streams_count_references(object.toOpaque(), one))
    #expect(!streams_count_references(object.toOpaque(), 0 &- one))
    #expect(counts(object) == before)
    #expect(weakly != nil)
    object.release()
    #expect(weakly == nil)
  }

  @Test func whatIsNotCountedIsForTheRuntime() {
    let object = unsafeBitCast([Int](), to: UnsafeMutableRawPointer.self)
    #expect(!streams_count_references(object, one))
    #expect(!streams_count_references(object, 0 &- one))
  }

  @Test func moreThanFitAreForTheRuntime() {
    var object: (type: UInt64, counts: UInt64) = (0, UInt64(Int64.max) & ~(one - 1))
    #expect(!streams_count_references(&object, one))
    #expect(streams_count_references(&object, 0 &- one))
    #expect(streams_count_references(&object, one))
    #expect(object.counts == UInt64(Int64.max) & ~(one - 1))
  }

  @Test func theSignMeansThatAllIsForTheRuntime() {
    let unknown = UInt64(1) << 63
    for counts in [3, one + 3, unknown, unknown + one] {
      var object: (type: UInt64, counts: UInt64) = (0, counts)
      #expect(!streams_count_references(&object, unknown))
      #expect(!streams_count_references(&object, 0 &- unknown))
      #expect(object.counts == counts)
    }
  }
}
