import OpenCombine

let numbers = PassthroughSubject<Int, Never>()
let cancellable = numbers.map { $0 + 1 }.filter { $0 > 1 }.sink { print($0) }
numbers.send(1)
