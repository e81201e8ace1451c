import Streams
import StreamsProperty
import StreamsTesting
import Testing

/// Every way to make and to derive a property, as programs that were written for CombineProperty call it.
@Suite struct PublicFaceTests {
  private struct Person {
    var name = "Ada"
    var age = 36
    var city = "London"
  }

  private let subject = CurrentValueSubject<Int, Never>(1)
  private var property: Property<Int> { Property(subject) }

  @Test func made() {
    let constant: Property<Int> = .init(1)
    let following: Property<Int> = .init(subject)
    let going: Property<Int> = .init(initial: 0, then: subject)
    #expect([constant, following, going].map(\.value) == [1, 1, 1])
    let publishers: [AnyPublisher<Int, Never>] = [following.allValues, following.subsequentValues]
    #expect(publishers.map { Log($0).values } == [[1], []])
  }

  @Test func mapped() {
    let person = Property(Person())
    #expect(property.map(String.init).value == "1")
    #expect(person.map(\.name).value == "Ada")
    #expect(person.map(\.name, \.age).value == ("Ada", 36))
    #expect(person.map(\.name, \.age, \.city).value == ("Ada", 36, "London"))
    #expect(property.map(value: "x").value == "x")
    #expect(property.compactMap(initialFallback: 5) { $0 > 1 ? $0 : nil }.value == 5)
    #expect(property.compactMap(initial: 5) { $0 }.value == 5)
  }

  @Test func chosen() {
    #expect(property.filter(initialFallback: 5) { $0 > 1 }.value == 5)
    #expect(property.filter(initial: 5) { $0 == 1 }.value == 5)
    #expect(property.drop(initialFallback: 5, while: { $0 < 2 }).value == 5)
    #expect(property.prefix(initialFallback: 5, while: { $0 > 2 }).value == 5)
    #expect(property.removeDuplicates().value == 1)
    #expect(property.removeDuplicates(by: ==).value == 1)
    #expect(property.uniqueValues().value == 1)
    #expect(property.uniqueValues { $0 % 10 }.value == 1)
  }

  @Test func remembered() {
    #expect(property.scan(10, +).value == 10)
    #expect(property.scan(+).value == 1)
    #expect(property.combinePrevious(0).value == (0, 1))
  }

  @Test func flattened() {
    let property = property
    let flatMap: (@escaping (Int) -> Property<Int>) -> Property<Int> = property.flatMap(_:)
    #expect(flatMap { Property($0 + 1) }.value == 2)
    #expect(property.flatMap { Property($0 + 1) }.value == 2)
    #expect(property.flatMap(maxPublishers: .max(1)) { Property($0 + 1) }.value == 2)
    #expect(Property(property).switchToLatest().value == 1)
  }

  @Test func paired() {
    let (a, b, c, d) = (property, Property("b"), Property(3.0), Property(true))
    #expect(a.zip(b).value == (1, "b"))
    #expect(a.zip(b, c).value == (1, "b", 3))
    #expect(a.zip(b, c, d).value == (1, "b", 3, true))
    #expect(a.zip(b) { "\($0)\($1)" }.value == "1b")
    #expect(a.zip(b, c) { "\($0)\($1)\($2)" }.value == "1b3.0")
    #expect(a.zip(b, c, d) { "\($0)\($1)\($2)\($3)" }.value == "1b3.0true")
    #expect(a.combineLatest(b).value == (1, "b"))
    #expect(a.combineLatest(b, c).value == (1, "b", 3))
    #expect(a.combineLatest(b, c, d).value == (1, "b", 3, true))
    #expect(a.combineLatest(b) { "\($0)\($1)" }.value == "1b")
    #expect(a.combineLatest(b, c) { "\($0)\($1)\($2)" }.value == "1b3.0")
    #expect(a.combineLatest(b, c, d) { "\($0)\($1)\($2)\($3)" }.value == "1b3.0true")
  }

  @Test func collected() {
    let several = [property, Property(2)]
    #expect(property.combineLatest(with: several[1...]).value == [1, 2])
    #expect(Property<Int>.combineLatest(several, emptySentinel: 0).value == [1, 2])
    #expect(several.combineLatest(emptySentinel: 0).value == [1, 2])
    #expect(several.prefix(0).combineLatest(emptySentinel: 0).value == [0])
    #expect(property.zip(with: several[1...]).value == [1, 2])
    #expect(Property<Int>.zip(several, emptySentinel: 0).value == [1, 2])
    #expect(several.zip(emptySentinel: 0).value == [1, 2])
    #expect(several.prefix(0).zip(emptySentinel: 0).value == [0])
  }

  @Test func optional() {
    let none = Property<Int?>(nil)
    #expect(none.replaceNil(with: 3).value == 3)
    #expect(none.coalesce(property.optional()).value == 1)
  }

  @Test func logical() {
    let (yes, no) = (Property(true), Property(false))
    #expect(no.negate().value)
    #expect(
      [yes.and(no), yes.or(no), .all([yes, no]), .any([yes, no])].map(\.value) == [false, true, false, true])
  }

  @Test func handedOver() {
    let shown = property.receive(on: ImmediateScheduler.shared)
    subject.value = 2
    #expect(shown.value == 2)
  }
}
