"""A slider whose drawing is slow: each line of standard input moves it, and it is drawn when it rests.

python slider.py
"""

import sys

from streams import Debouncer, SerialQueue


def main() -> None:
    with SerialQueue() as queue, Debouncer(0.05, queue) as redraw:
        for line in sys.stdin:
            redraw.execute(lambda position=line: print("drawn at", position, end="", flush=True))  # type: ignore[misc]


if __name__ == "__main__":
    main()
