// The name under which source written for Apple's platforms imports all of this. There the name belongs to
// the platform's own module. (The platform is asked for, not the module: once built, this one would be
// found.)
#if !canImport(Darwin)
  @_exported import Streams
  @_exported import StreamsDispatch
  @_exported import StreamsFoundation
#endif
