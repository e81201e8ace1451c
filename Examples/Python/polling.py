"""Waits until a server answers: tries to connect, each time after a longer pause, and prints its first message.

python polling.py PORT
"""

import socket
import sys
from typing import Callable

from streams import Backoff, Emitter, SerialQueue, create


def greeting(port: int) -> "Callable[[Emitter[str]], Callable[[int], None]]":
    """The function that begins an attempt: a source whose only value is the server's greeting."""

    def begin(emitter: "Emitter[str]") -> "Callable[[int], None]":
        def attempt(_: int) -> None:
            try:
                with socket.create_connection(("127.0.0.1", port)) as connection:
                    emitter.send(connection.recv(256).decode())
            except OSError as error:
                print(error.strerror, flush=True)
                raise
            emitter.finish()

        return attempt

    return begin


def is_refusal(error: BaseException) -> bool:
    return isinstance(error, ConnectionRefusedError)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python polling.py PORT")
    plan = Backoff(delay=0.01, longest_delay=0.5, retries=20, jitter=0.3)
    with SerialQueue() as queue:
        answer = create(greeting(int(sys.argv[1]))).retry_backoff(plan, queue, is_refusal)
        print(answer.first_value(timeout=30), end="")


if __name__ == "__main__":
    main()
