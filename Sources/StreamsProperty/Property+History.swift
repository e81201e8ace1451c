extension Property {
  /// A property that starts with `initialResult` and goes on with what is made of its own value and each that comes.
  ///
  ///     let total = amounts.scan(0, +)
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Property<T> {
    deriving { _ in
      var result = initialResult
      return (
        initialResult,
        { value in
          result = nextPartialResult(result, value)
          return result
        }
      )
    }
  }

  /// A property that starts with the current value and goes on with what is made of its own value and each that comes.
  ///
  ///     let highest = temperature.scan(max)
  public func scan(_ nextPartialResult: @escaping (Output, Output) -> Output) -> Property {
    deriving { current in
      var result = current
      return (
        current,
        { value in
          result = nextPartialResult(result, value)
          return result
        }
      )
    }
  }

  /// A property that does not change when `predicate` says of its value and the new one that they are the same.
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Property {
    deriving { current in
      var last = current
      return (
        current,
        { value in
          if predicate(last, value) { return nil }
          last = value
          return value
        }
      )
    }
  }

  /// A property that takes only those values whose identity it has not seen before, and keeps the identities.
  ///
  ///     let visitors = requests.uniqueValues { $0.sender }
  public func uniqueValues<Identity: Hashable>(
    _ transform: @escaping (Output) -> Identity
  ) -> Property {
    deriving { current in
      var seen: Set = [transform(current)]
      return (current, { seen.insert(transform($0)).inserted ? $0 : nil })
    }
  }

  /// A property of the value before and the current one; before the first, there was `initial`.
  ///
  ///     let steps = position.combinePrevious(0).map { $1 - $0 }
  public func combinePrevious(_ initial: Output) -> Property<(Output, Output)> {
    deriving { current in
      var previous = current
      return (
        (initial, current),
        { value in
          defer { previous = value }
          return (previous, value)
        }
      )
    }
  }
}

extension Property where Output: Equatable {
  /// A property that does not change when a value comes that equals its own.
  ///
  ///     let state = states.removeDuplicates()
  public func removeDuplicates() -> Property { removeDuplicates(by: ==) }
}

extension Property where Output: Hashable {
  /// A property that takes only values that it has never had, and keeps them all.
  public func uniqueValues() -> Property { uniqueValues { $0 } }
}
