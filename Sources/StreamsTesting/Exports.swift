// Marbles and the test scheduler speak of virtual time.
@_exported public import StreamsSchedulers
