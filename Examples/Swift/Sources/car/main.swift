// A subject that has a value: it shows the charge of a car's battery, now and after each drive.
import Streams

class Car {
  var kwhInBattery = CurrentValueSubject<Double, Never>(50.0)
  let kwhPerKilometer = 0.14

  func drive(kilometers: Double) {
    let kwhNeeded = kilometers * kwhPerKilometer
    assert(kwhNeeded <= kwhInBattery.value, "Can't make trip, not enough charge in battery")
    kwhInBattery.value -= kwhNeeded
  }
}

let car = Car()
let cancellable = car.kwhInBattery
  .sink { newCharge in
    print("The car now has \(newCharge)kwh in its battery")
  }
car.drive(kilometers: 100)
