"""The values of a stream for who waits for them: in a loop, in asyncio and in trio. Imports asyncio where it is used."""
