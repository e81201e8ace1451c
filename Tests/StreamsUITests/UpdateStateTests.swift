import StreamsScopes
import Testing

/// Every event in every state: idle, requested, evaluating, connecting, acting, ended.
@Suite struct UpdateStateTests {
  private let tree = ScopeTree()
  private var state = UpdateState()

  /// Scopes below each other.
  private func scopes(_ count: Int) -> [Scope] {
    var scopes = [tree.root]
    for _ in 0..<count {
      scopes.append(scopes[scopes.count - 1].walk { scopes[scopes.count - 1].child([]).scope })
    }
    return Array(scopes.dropFirst())
  }

  private mutating func name(_ step: UpdateState.Step?) -> String {
    switch step {
    case .evaluate(let scope): return "evaluate \(scope.depth)"
    case .run(let action):
      action()
      return "run"
    case .notify: return "tell"
    case .giveUp(let scopes): return "give up \(scopes.map(\.depth))"
    case .askAgain: return "ask again"
    case .end: return "end"
    case nil: return "over"
    }
  }

  private mutating func next() -> String { name(state.next()) }

  private mutating func rest() -> [String] {
    var names: [String] = []
    repeat { names.append(next()) } while names.last != "over"
    return names
  }

  @Test mutating func nothingIsUpdatedWhereNothingIsPending() {
    #expect(state.isIdle)
    #expect(state.begin(on: 8) == false)
    #expect(state.isIdle)
    #expect(next() == "over")
  }

  @Test mutating func theFirstChangeAsks() {
    let scopes = scopes(2)
    #expect(state.invalidate(scopes[1]) == true)
    #expect(state.invalidate(scopes[1]) == false)
    #expect(state.invalidate(scopes[0]) == false)
    #expect(!state.act {})
    #expect(!state.connect {})
    #expect(next() == "over")
    #expect(state.begin(on: 8) == true)
    #expect(state.begin(on: 8) == false)
    #expect(rest() == ["evaluate 1", "evaluate 2", "run", "run", "tell", "over"])
    #expect(state.isIdle)
    #expect(state.act {})
  }

  @Test mutating func whatIsWithdrawnIsAskedForAgain() {
    state.withdraw()
    #expect(state.act {})
    state.withdraw()
    #expect(state.isIdle)
    #expect(state.act {})
    #expect(state.begin(on: 8) == true)
    state.withdraw()
    #expect(rest() == ["run", "run", "tell", "over"])
    #expect(state.begin(on: 8) == false)
  }

  @Test mutating func connectionsComeBeforeActions() {
    var order: [String] = []
    _ = state.act { order.append("act") }
    _ = state.connect { order.append("connect") }
    #expect(state.begin(on: 8) == true)
    #expect(rest() == ["run", "run", "tell", "over"])
    #expect(order == ["connect", "act"])
  }

  @Test mutating func whatIsInvalidatedWhileEvaluatingIsOfTheSameRoundUnlessItIsOver() {
    let scopes = scopes(3)
    _ = state.invalidate(scopes[1])
    #expect(state.begin(on: 8) == true)
    #expect(next() == "evaluate 2")
    #expect(state.invalidate(scopes[1]) == false)
    #expect(state.invalidate(scopes[2]) == false)
    #expect(state.invalidate(scopes[0]) == false)
    // Its parent comes yet, since it has not been evaluated in this round.
    #expect(rest() == ["evaluate 1", "evaluate 3", "evaluate 2", "tell", "over"])
  }

  @Test mutating func whatIsInvalidatedOrPostedLaterIsOfTheNextRound() {
    let scopes = scopes(2)
    _ = state.connect {}
    _ = state.act {}
    _ = state.act {}
    #expect(state.begin(on: 8) == true)
    #expect(next() == "run")
    #expect(state.invalidate(scopes[0]) == false)
    #expect(!state.act {})
    #expect(next() == "run")
    #expect(state.invalidate(scopes[1]) == false)
    #expect(!state.connect {})
    #expect(rest() == ["run", "run", "evaluate 1", "evaluate 2", "run", "tell", "over"])
  }

  @Test mutating func whoIsToldMayChangeSomething() {
    let scopes = scopes(1)
    _ = state.act {}
    #expect(state.begin(on: 8) == true)
    #expect(next() == "run")
    #expect(next() == "tell")
    #expect(state.invalidate(scopes[0]) == false)
    #expect(rest() == ["evaluate 1", "tell", "over"])
  }

  @Test mutating func whatGoesOnForEverIsGivenUp() {
    let scopes = scopes(1)
    _ = state.invalidate(scopes[0])
    #expect(state.begin(on: 8) == true)
    var evaluations = 0
    while true {
      let step = next()
      guard step == "evaluate 1" else {
        #expect(step == "give up [1]")
        break
      }
      evaluations += 1
      state.note(8)
      #expect(state.invalidate(scopes[0]) == false)
    }
    #expect(evaluations == UpdateState.roundLimit)
    // It is left for the next update, which is asked for when it changes again.
    #expect(state.isIdle)
    #expect(state.invalidate(scopes[0]) == true)
    #expect(state.invalidate(scopes[0]) == false)
    #expect(state.begin(on: 8) == true)
    #expect(rest() == ["evaluate 1", "tell", "over"])
  }

  @Test mutating func whatOtherThreadsChangeIsLeftForAnotherUpdate() {
    let scopes = scopes(1)
    _ = state.invalidate(scopes[0])
    #expect(state.begin(on: 8) == true)
    var step = next()
    while step == "evaluate 1" {
      state.note(16)
      _ = state.invalidate(scopes[0])
      step = next()
    }
    #expect(step == "ask again")
    #expect(!state.isIdle)
    #expect(state.invalidate(scopes[0]) == false)
    #expect(state.begin(on: 8) == true)
    #expect(rest() == ["evaluate 1", "tell", "over"])
  }

  @Test mutating func theEndForgetsWhatWasToBeDone() {
    let scopes = scopes(1)
    _ = state.invalidate(scopes[0])
    _ = state.act {}
    #expect(state.end(on: 8) == true)
    #expect(next() == "end")
    // What is removed may still post what it does then.
    #expect(!state.act {})
    #expect(state.invalidate(scopes[0]) == false)
    #expect(!state.connect {})
    #expect(rest() == ["run", "tell", "over"])
    #expect(!state.act {})
    #expect(state.end(on: 8) == false)
    #expect(state.begin(on: 8) == false)
    #expect(next() == "over")
  }

  @Test mutating func theEndOfARunningUpdateIsItsNextStep() {
    let scopes = scopes(2)
    _ = state.invalidate(scopes[0])
    _ = state.invalidate(scopes[1])
    #expect(state.begin(on: 8) == true)
    #expect(next() == "evaluate 1")
    #expect(state.end(on: 16) == false)
    #expect(rest() == ["end", "tell", "over"])
  }

  @Test(arguments: [0, 1, 2, 3]) mutating func whatRemovedScopesDoIsNotForgotten(_ steps: Int) {
    let scopes = scopes(1)
    var done: [String] = []
    _ = state.invalidate(scopes[0])
    _ = state.connect { done.append("connected") }
    _ = state.act(outlivesTree: true) { done.append("first") }
    _ = state.act { done.append("acted") }
    _ = state.act(outlivesTree: true) { done.append("second") }
    #expect(state.begin(on: 8) == true)
    for _ in 0..<steps { _ = next() }
    // One more, which the next round would run.
    _ = state.act(outlivesTree: true) { done.append("third") }
    #expect(state.end(on: 8) == false)
    #expect(next() == "end")
    _ = state.act { done.append("last") }
    _ = rest()
    let connected = steps > 1 ? ["connected"] : []
    #expect(done == connected + ["first", "second", "third", "last"])
  }
}
