// The program stands as it was written.
// swift-format-ignore-file
import Streams
import Testing

class Car {
	var kwhInBattery = CurrentValueSubject<Double, Never>(50.0)
	let kwhPerKilometer = 0.14

	func drive(kilometers: Double) {
		let kwhNeeded = kilometers * kwhPerKilometer
		assert(kwhNeeded <= kwhInBattery.value, "Can't make trip, not enough charge in battery")
		kwhInBattery.value -= kwhNeeded
	}
}

/// Shows a text by printing it.
private final class Label {
  var text: String? {
    didSet { print(text ?? "") }
  }
}

@Suite struct CarTests {
  /// The subscription is stored, as the program's comment asks for.
  @Test func showsItsCharge() {
    let someLabel = Label()
    let lines = Console.lines {
let car = Car()

let cancellable = car.kwhInBattery
	.sink(receiveValue: { newCharge in
		someLabel.text = "The car now has \(newCharge)kwh in its battery"
	})

car.drive(kilometers: 100)
      cancellable.cancel()
      car.drive(kilometers: 1)
    }
    #expect(lines == ["The car now has 50.0kwh in its battery", "The car now has 36.0kwh in its battery"])
  }

  /// Without storing it, the subscription ends at once.
  @Test func showsItsFirstChargeOnly() {
    let lines = Console.lines {
      let car = Car()
      _ = car.kwhInBattery.sink { print($0) }
      car.drive(kilometers: 100)
    }
    #expect(lines == ["50.0"])
  }
}
