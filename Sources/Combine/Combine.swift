// The name under which source written for Apple's platforms imports all of this. Foundation comes with it, as
// it does there: much of that source imports nothing else, and uses its locks, queues, dates and sessions.
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import StreamsFoundation
