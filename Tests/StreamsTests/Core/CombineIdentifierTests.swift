import Streams
import Testing

@Suite struct CombineIdentifierTests {
  final class Object: CustomCombineIdentifierConvertible {}

  @Test func differsEachTime() {
    let identifiers = (0..<100).map { _ in CombineIdentifier() }
    #expect(Set(identifiers).count == 100)
    #expect(Set(identifiers.map(\.description)).count == 100)
  }

  @Test func isThatOfAnObject() {
    let first = Object()
    let second = Object()
    #expect(CombineIdentifier(first) == first.combineIdentifier)
    #expect(first.combineIdentifier != second.combineIdentifier)
    let address = UInt(bitPattern: ObjectIdentifier(first))
    #expect(first.combineIdentifier.description == "0x" + String(address, radix: 16))
  }

  @Test func reflectsItsNumber() {
    let mirror = Mirror(reflecting: CombineIdentifier())
    #expect(mirror.children.count == 1)
    #expect(mirror.descendant("rawValue") is UInt64)
  }
}
