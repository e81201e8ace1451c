@_exported import Streams
@_exported import StreamsDispatch
