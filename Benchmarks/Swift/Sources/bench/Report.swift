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
  guard let peer = measurement.openCombine?.nanoseconds else { return fields }
  fields.append(("opencombine", "\(peer.median)"))
  fields.append(("opencombine_spread", "\(peer.spread)"))
  fields.append(("ratio", "\(peer.median / streams.median)"))
  fields.append(("bar", measurement.row.bar.map { "\($0)" } ?? "null"))
  return fields
}
