"""Waiting for the values of a stream: in a loop, in asyncio and in trio. Imports asyncio only when it is used."""
