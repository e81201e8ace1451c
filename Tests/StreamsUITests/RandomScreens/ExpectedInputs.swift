extension Expectation {
  func list(_ part: Part) {
    for item in part.kind == .boundList ? part.items : [] {
      add("row \(part.chosen == item.id)")
      add("toggle \(item.text == "i1")")
      add("B\(item.id)")
    }
    for child in part.kind == .boundList ? [] : part.children {
      let isSelected = part.kind == .severalList ? part.several.contains(child.id) : part.chosen == child.id
      if part.kind != .partlyList || part.isOn { add("row \(isSelected)") }
      show(child)
    }
  }

  func input(_ part: Part) {
    switch part.kind {
    case .toggle:
      add("toggle \(part.isOn)")
      add("Z\(part.text)")
    case .field:
      add("field \(part.text)")
      add("F\(part.number)")
    case .slider:
      add("slider \(part.amount)")
      counter(part, "slider")
    case .stepper: add("P\(part.number)")
    case .picker:
      add("K")
      for index in 0..<3 {
        add("option \(part.number == index)")
        add("k\(index)")
      }
      if part.isOn {
        add("option \(part.number == 4)")
        add("more")
      }
    case .boundFields:
      for item in part.items {
        add("field \(item.text)")
        add("I\(item.id)")
        counter(part, "item \(item.id)", text: item.text, flavor: item.id)
      }
    case .optionalField:
      guard let item = part.item else { return counter(part, "no item") }
      add("field \(item.text)")
      add("O")
    default:
      add("field \(part.note.text)")
      add("N")
      add("toggle \(part.note.flag)")
      add("flag")
      if part.note.flag { counter(part, "flag", text: part.note.text) }
    }
  }
}
