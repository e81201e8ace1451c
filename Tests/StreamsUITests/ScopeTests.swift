import Foundation
import Streams
import StreamsScopes
import Synchronization
import Testing

/// A scope whose body is a closure.
private final class Closure: ScopeContent {
  let body: (Scope) -> Void
  let removed: () -> Void
  init(removed: @escaping () -> Void = {}, _ body: @escaping (Scope) -> Void) {
    (self.body, self.removed) = (body, removed)
  }
  func evaluate(in scope: Scope) { body(scope) }
  func remove(from scope: Scope) { removed() }
}

private final class Value {
  let number: Int
  init(_ number: Int) { self.number = number }
  /// Where there is none, 0 is read.
  static func areEqual(_ one: AnyObject, _ other: AnyObject?) -> Bool {
    (one as? Value)?.number == (other.map { ($0 as? Value)?.number } ?? 0)
  }
}

extension Scope {
  fileprivate func number(_ key: ObjectIdentifier) -> Int? { (environmentValue(key) as? Value)?.number }

  fileprivate func place(_ identity: Identity, _ content: @autoclosure () -> Closure) {
    let (child, isNew) = child(identity)
    guard isNew else { return }
    child.content = content()
    child.invalidate()
  }

  fileprivate func begin(_ content: Closure) {
    self.content = content
    invalidate()
    tree.update()
  }
}

@Suite struct ScopeTests {
  private let key = ObjectIdentifier(Value.self)

  @Test func aBodyRunsAgainWhenWhatItHasReadLastChanges() {
    let tree = ScopeTree()
    let which = StateCell(true)
    let (one, other) = (StateCell(1), StateCell(1))
    var seen: [Int] = []
    tree.root.begin(Closure { _ in seen.append(which.value ? one.value : -other.value) })
    func set(_ cell: StateCell<Int>, _ value: Int) {
      cell.set(value, isEqual: ==)
      tree.update()
    }
    set(other, 2)
    set(one, 2)
    which.set(false, isEqual: ==)
    tree.update()
    set(one, 3)
    set(other, 3)
    set(other, 3)
    #expect(seen == [1, 2, -2, -3])
    tree.unmount()
    set(other, 4)
    #expect(seen.count == 4)
  }

  @Test func readersAreForgottenWithTheirScopes() {
    let tree = ScopeTree()
    let tracked = Tracked()
    let count = StateCell(3)
    var ended = 0
    tree.root.begin(
      Closure { scope in
        scope.walk {
          for index in 0..<count.value {
            scope.place([.index(index)], Closure(removed: { ended += 1 }) { _ in tracked.read() })
          }
        }
      })
    #expect(tracked.readerCount == 3)
    count.set(1, isEqual: ==)
    tree.update()
    #expect((tracked.readerCount, ended) == (1, 2))
    tracked.read()
    #expect(tracked.readerCount == 1)
    tree.unmount()
    #expect((tracked.readerCount, ended) == (0, 3))
  }

  @Test func childrenAreFoundByIdentityInAnyOrder() {
    let tree = ScopeTree()
    let order = StateCell(Array(0..<50))
    var made: [Int] = []
    tree.root.begin(
      Closure { scope in
        scope.walk {
          for number in order.value { scope.place([.key(number)], Closure { _ in made.append(number) }) }
        }
      })
    for change in [Array(0..<50).shuffled(), Array((10..<60).reversed()), [], Array(0..<50)] {
      made = []
      let before = Set(tree.root.children.map(\.identity))
      order.set(change, isEqual: ==)
      tree.update()
      #expect(tree.root.children.map(\.identity) == change.map { [.key($0)] })
      #expect(made == change.filter { !before.contains([.key($0)]) })
    }
    tree.unmount()
  }

  @Test func theEnvironmentIsThatOfTheNearest() {
    let tree = ScopeTree()
    let given = StateCell<Int?>(1)
    var lines: [String] = []
    tree.root.begin(
      Closure { scope in
        scope.walk {
          scope.place([.index(0)], Closure { lines.append("outer \($0.number(key) ?? 0)") })
          scope.place(
            [.index(1)],
            Closure { scope in
              let value = given.value.map(Value.init)
              scope.setEnvironmentValue(key, value, isEqual: Value.areEqual)
              scope.walk {
                scope.place([], Closure { lines.append("inner \($0.number(key) ?? 0)") })
              }
            })
        }
      })
    func seen(after change: () -> Void) -> [String] {
      lines = []
      change()
      tree.update()
      return lines
    }
    func give(_ value: Int?) -> [String] { seen { given.set(value, isEqual: ==) } }
    func giveToAll(_ value: Int?) -> [String] {
      seen { tree.root.setEnvironmentValue(key, value.map(Value.init), isEqual: Value.areEqual) }
    }
    #expect(lines == ["outer 0", "inner 1"])
    #expect(giveToAll(5) == ["outer 5"])
    #expect(give(2) == ["inner 2"])
    #expect(give(nil) == ["inner 5"])
    #expect(giveToAll(6) == ["outer 6", "inner 6"])
    #expect(giveToAll(6) == [])
    // What it has read from further up is the same.
    #expect(give(6) == [])
    #expect(giveToAll(7) == ["outer 7"])
    #expect(giveToAll(6) == ["outer 6"])
    #expect(give(nil) == [])
    #expect(giveToAll(8) == ["outer 8", "inner 8"])
    #expect(giveToAll(0) == ["outer 0", "inner 0"])
    // And so is what is read where nothing gives a value.
    #expect(giveToAll(nil) == [])
    #expect(give(0) == [])
    #expect(give(3) == ["inner 3"])
    #expect(seen { tree.root.children[1].setEnvironment([:], isEqual: Value.areEqual) } == ["inner 0"])
    tree.unmount()
  }

  @Test func oneUpdateIsScheduledForAllChanges() {
    var scheduled: [() -> Void] = []
    let tree = ScopeTree { scheduled.append($0) }
    let cell = StateCell(0)
    var seen: [Int] = []
    tree.root.content = Closure { _ in seen.append(cell.value) }
    tree.root.invalidate()
    scheduled.removeFirst()()
    cell.set(1, isEqual: ==)
    cell.set(2, isEqual: ==)
    tree.act {}
    #expect(scheduled.count == 1)
    scheduled.removeFirst()()
    #expect(seen == [0, 2])
    tree.unmount()
    cell.set(3, isEqual: ==)
    #expect(scheduled.isEmpty)
  }

  @Test func anUpdateNeverRunsWithinWhatAsksForIt() {
    let tree = ScopeTree { $0() }
    var count = 0
    tree.root.content = Closure { _ in count += 1 }
    tree.root.invalidate()
    #expect(count == 0)
    tree.update()
    #expect(count == 1)
    tree.unmount()
  }

  @Test func aSchedulerThatLetsGoOfAnUpdateIsAskedAgain() {
    var scheduled: [() -> Void] = []
    let tree = ScopeTree { scheduled.append($0) }
    var count = 0
    tree.root.content = Closure { _ in count += 1 }
    tree.root.invalidate()
    scheduled.removeLast()
    #expect(scheduled.isEmpty)
    tree.root.invalidate()
    tree.root.invalidate()
    #expect(scheduled.count == 1)
    scheduled.removeFirst()()
    #expect(count == 1)
    tree.root.invalidate()
    tree.update()
    tree.unmount()
    scheduled.removeFirst()()
    #expect(count == 2)
  }

  @Test func anUpdateThatIsGivenUpTakesNoStepsOfTheNext() {
    let tree = ScopeTree()
    let isEndless = Atomic(true)
    let isRunByItsUpdate = Mutex<Bool?>(nil)
    let (begun, goOn, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    func again() { if isEndless.load(ordering: .relaxed) { tree.act(again) } }
    tree.giveUp = { _ in
      isEndless.store(false, ordering: .relaxed)
      Thread {
        let thread = OwnerWord.currentThread
        tree.act {
          begun.signal()
          goOn.wait()
        }
        tree.act { isRunByItsUpdate.withLock { $0 = OwnerWord.currentThread == thread } }
        tree.update()
        done.signal()
      }.start()
      begun.wait()
    }
    tree.act(again)
    tree.update()
    #expect(isRunByItsUpdate.withLock { $0 } == nil)
    goOn.signal()
    done.wait()
    #expect(isRunByItsUpdate.withLock { $0 } == true)
    tree.unmount()
  }

  @Test func whoKeepsTheOthersGoesOnReadingThem() {
    let tree = ScopeTree()
    let (cell, flag) = (StateCell(0), StateCell(0))
    var seen: [String] = []
    tree.root.begin(
      Closure { scope in
        scope.walk {
          if seen.count == 1 {
            seen.append("failed")
            return scope.keepOthers()
          }
          seen.append("\(cell.value) \(flag.value)")
          scope.place([], Closure { _ in seen.append("child") })
        }
      })
    seen = ["0 0"]
    cell.set(1, isEqual: ==)
    tree.update()
    flag.set(1, isEqual: ==)
    tree.update()
    #expect(seen == ["0 0", "failed", "1 1"])
    tree.unmount()
  }

  @Test func nothingIsLeftOfAnUnmountedTree() {
    weak var released: ScopeTree?
    weak var value: Value?
    do {
      let tree = ScopeTree()
      released = tree
      let cell = StateCell(0)
      tree.root.begin(
        Closure { scope in
          _ = cell.value
          let given = Value(1)
          value = given
          scope.setEnvironmentValue(key, given, isEqual: Value.areEqual)
          scope.walk { scope.place([], Closure { _ = $0.number(key) }) }
        })
      #expect(value != nil)
      tree.unmount()
      #expect(tree.root.isRemoved == false)
      #expect(tree.root.children.isEmpty)
    }
    #expect(released == nil)
    #expect(value == nil)
  }

  @Test func aDeepTreeIsEvaluatedAndRemovedWithoutDepthOfTheStack() {
    let tree = ScopeTree()
    var removed = 0
    func content(_ depth: Int) -> Closure {
      Closure(removed: { removed += 1 }) { scope in
        scope.walk { if depth > 0 { scope.place([], content(depth - 1)) } }
      }
    }
    tree.root.begin(content(20_000))
    var deepest = tree.root
    while let child = deepest.children.first { deepest = child }
    #expect(deepest.depth == 20_000)
    #expect(deepest.isInside(tree.root) && !tree.root.isInside(deepest))
    tree.unmount()
    #expect(removed == 20_001)
    #expect(deepest.isRemoved)
    // Those above it go with it: one after the other, as long as somebody has it.
    withExtendedLifetime(deepest) {}
  }
}
