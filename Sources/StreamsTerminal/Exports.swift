@_exported import StreamsUI
