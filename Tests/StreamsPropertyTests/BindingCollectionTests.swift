import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct BindingCollectionTests {
  private struct Task: Equatable, Identifiable {
    let id: Int
    var isDone = false
  }

  private let tasks = CurrentValueSubject<[Task], Never>([Task(id: 1), Task(id: 2), Task(id: 3)])

  @Test func isACollectionOfBindings() {
    let binding = Binding(tasks)
    binding.forEach { $task in task.isDone = task.id > 1 }
    #expect(tasks.value.map(\.isDone) == [false, true, true])
    #expect(binding.count == 3)
    #expect(binding.map(\.id) == [1, 2, 3])
    #expect(binding.reversed().map(\.id) == [3, 2, 1])
    #expect(binding.indices == 0..<3)
    #expect(binding.index(binding.startIndex, offsetBy: 2) == 2)
    #expect(binding.dropFirst().first?.wrappedValue == Task(id: 2, isDone: true))
    #expect(binding.isEmpty == false)
  }

  @Test func anElementIsReadWrittenAndShown() {
    let element = Binding(tasks)[1]
    let log = Log(element.isDone.values)
    element.wrappedValue.isDone = true
    element.isDone.wrappedValue = false
    tasks.value[1].isDone = true
    #expect(log.values == [false, true, false, true])
    #expect(element.wrappedValue == Task(id: 2, isDone: true))
  }

  @Test func anElementThatIsGoneStaysAsItWas() {
    let element = Binding(tasks)[2]
    let log = Log(element.values)
    element.isDone.wrappedValue = true
    let last = Task(id: 3, isDone: true)
    tasks.value.removeLast()
    #expect(element.wrappedValue == last)
    element.isDone.wrappedValue = false
    #expect(tasks.value.count == 2)
    #expect(element.wrappedValue == last)
    #expect(Log(element.values).values == [last])
    tasks.value.append(Task(id: 4))
    #expect(log.values == [Task(id: 3), last, Task(id: 4)])
  }

  @Test func aWatcherThatShortensTheCollection() {
    let binding = Binding(tasks)
    let last = binding[2]
    let cancellable = last.values.sink { if $0.isDone { binding.wrappedValue.removeAll() } }
    last.isDone.wrappedValue = true
    #expect(tasks.value.isEmpty)
    cancellable.cancel()
  }

  @Test func aKeyHasAValueOrNone() {
    let ages = CurrentValueSubject<[String: Int], Never>(["Ada": 36])
    let binding = Binding(ages)
    let (ada, bob, carl) = (binding["Ada"], binding["Bob"], binding["Carl", default: 1])
    let log = Log(carl.values)
    bob.wrappedValue = 20
    carl.wrappedValue += 1
    ada.wrappedValue = nil
    #expect(ages.value == ["Bob": 20, "Carl": 2])
    #expect(log.values == [1, 1, 2, 2])
  }
}
