// The interfaces of marbles and of the test scheduler have types of virtual time.
@_exported public import StreamsSchedulers
