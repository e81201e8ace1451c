// As SwiftUI does.
@_exported import Foundation
@_exported import Observation
@_exported import StreamsFoundation

@_exported import struct StreamsProperty.Binding
