/// The measurements as JSON.
func report(_ measurements: [Measurement], rounds: Int) -> String {
  let rows = measurements.map { "  {" + fields($0).map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}" }
  return """
    {
     "language": "swift", "unit": "ns a value", "rounds": \(rounds), "check": \(total & 1),
     "rows": [
    \(rows.joined(separator: ",\n"))
     ]
    }
    """
}

private func fields(_ measurement: Measurement) -> [(String, String)] {
  let streams = measurement.streams.nanoseconds
  var fields = [("name", "\"\(measurement.row.rawValue)\""), ("streams", "\(streams.median)")]
  fields.append(("spread", "\(streams.spread)"))
  guard let peer = measurement.peer?.nanoseconds else { return fields }
  let name = measurement.peerRow == nil ? "opencombine" : "peer"
  if let other = measurement.peerRow { fields.append(("beside", "\"\(other)\"")) }
  fields.append((name, "\(peer.median)"))
  fields.append(("\(name)_spread", "\(peer.spread)"))
  fields.append(("ratio", "\(peer.median / streams.median)"))
  fields.append(("bar", measurement.row.bar.map { "\($0)" } ?? "null"))
  return fields
}
