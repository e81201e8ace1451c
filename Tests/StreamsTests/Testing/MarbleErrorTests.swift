import StreamsTesting
import Testing

@Suite struct MarbleErrorTests {
  @Test func pointsAtThePlace() {
    let error = MarbleError(notation: "--a-(bc", position: 4, reason: "the group is not closed")
    #expect(
      error.description == """
        character 5 of the marbles: the group is not closed
          --a-(bc
              ^
        """)
    #expect(error != MarbleError(notation: "--a-(bc", position: 3, reason: "the group is not closed"))
  }
}
