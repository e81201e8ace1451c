@_exported import StreamsFoundation

@_exported import struct StreamsProperty.Binding
