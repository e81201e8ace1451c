// The program stands as it was written.
// swift-format-ignore-file
import Streams
import Testing

class Contact: ObservableObject {
    @Published var name: String
    @Published var age: Int

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }

    func haveBirthday() -> Int {
        age += 1
        return age
    }
}

@Suite final class ContactTests {
  private var cancellable: AnyCancellable?

  @Test func tellsOfItsBirthdayBefore() {
    let lines = Console.lines {
let john = Contact(name: "John Appleseed", age: 24)
cancellable = john.objectWillChange
    .sink { _ in
        print("\(john.age) will change")
}
print(john.haveBirthday())
    }
    #expect(lines == ["24 will change", "25"])
  }
}
