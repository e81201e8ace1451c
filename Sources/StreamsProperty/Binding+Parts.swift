extension Binding {
  /// A binding of the part that `get` makes of the value. Setting the part sets the value that `set` makes of both.
  ///
  /// Reading and setting call the functions of all bindings between this one and the stored value within each other: a stack of
  /// 512 KB is enough for a thousand of them.
  ///
  ///     let celsius = Binding(reading)
  ///     let fahrenheit = celsius.map(get: { $0 * 1.8 + 32 }, set: { _, degrees in (degrees - 32) / 1.8 })
  public func map<Part>(
    get: @escaping (Value) -> Part, set: @escaping (Value, Part) -> Value
  ) -> Binding<Part> {
    derived(get: get, set: set) { $0.map(get) }
  }

  /// A binding of the value at a key path.
  ///
  /// It sends a value whenever the whole changes, even when this part has not changed.
  ///
  ///     let name = $person.name
  public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
    map(get: { $0[keyPath: keyPath] }) { whole, part in
      var whole = whole
      whole[keyPath: keyPath] = part
      return whole
    }
  }

  /// A binding of the value as an optional. Setting nil does nothing.
  public init<Wrapped>(_ base: Binding<Wrapped>) where Value == Wrapped? {
    self = base.derived(get: { $0 }, set: { $1 }, watch: { $0.optional() })
  }

  /// A binding of the value in an optional, or nil if the optional is nil now.
  ///
  /// When the optional becomes nil later, the binding keeps the last value and sends nothing; setting it fills the optional
  /// again.
  ///
  ///     if let name = Binding($nickname) { edit(name) }
  public init?(_ base: Binding<Value?>) {
    guard let current = base.wrappedValue else { return nil }
    self = base.part(current, get: { $0 }, set: { $1 })
  }

  /// A binding of the type-erased value. Setting a value of another type does nothing.
  public init<Base: Hashable>(_ base: Binding<Base>) where Value == AnyHashable {
    self = base.derived(
      get: { AnyHashable($0) }, set: { $1.base as? Base }, watch: { $0.map { AnyHashable($0) } })
  }
}

extension Binding {
  /// A binding that reads, writes and publishes a part made of the value. Where `set` returns nil, nothing is written.
  func derived<Part>(
    get: @escaping (Value) -> Part, set: @escaping (Value, Part) -> Value?,
    watch: @escaping (Property<Value>) -> Property<Part>
  ) -> Binding<Part> {
    let whole = location
    return Binding<Part>(
      location: Location(
        in: whole.turn, read: { get(whole.read()) },
        write: { part in whole.change { set($0, part) } },
        // In one pass through all derived bindings, so that each part is made once.
        change: { make in whole.change { value in make(get(value)).flatMap { set(value, $0) } } },
        watch: { watch(whole.property) }))
  }

  /// A binding of a part that may be missing later: then it is what was last read, set or published.
  package func part<Part>(
    _ current: Part, get: @escaping (Value) -> Part?, set: @escaping (Value, Part) -> Value?
  ) -> Binding<Part> {
    let last = Last(current)
    let read = { whole in last.replaced(by: get(whole)) }
    return derived(
      get: read,
      set: { whole, part in
        guard let changed = set(whole, part) else { return nil }
        _ = read(changed)
        return changed
      },
      watch: { property in
        property.compactMap(initialFallback: read(property.value)) { whole in
          get(whole).map { last.replaced(by: $0) }
        }
      })
  }
}
