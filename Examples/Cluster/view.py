"""What the demo shows: a view that is drawn in place, or plain lines where standard output is no terminal."""

import os
import shutil
import sys

BARS = "▁▂▃▄▅▆▇█"
BOLD, DIM, RED, GREEN, YELLOW, CYAN = 1, 2, 31, 32, 33, 36
STATES = {"running": ("●", GREEN), "starting": ("○", YELLOW), "killed": ("✖", RED), "ended": ("■", DIM)}
COUNTED = {1: "one worker", 2: "two workers", 3: "three workers"}


def clock(seconds):
    return f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"


def spark(values, top):
    """A value as a character of eight heights; none is flat, and `top` is full."""
    return "".join(BARS[min(round(value / top * 7), 7)] if top else BARS[0] for value in values)


class Lines:
    """A line a second, and one for each event."""

    def __init__(self):
        self.ticks = 0

    def event(self, seconds, text):
        print(clock(seconds), text, flush=True)

    def draw(self, cluster):
        self.ticks += 1
        if self.ticks % 2 == 0:
            print(clock(cluster.seconds), "; ".join(self._parts(cluster)), flush=True)

    def _parts(self, cluster):
        yield f"lag {cluster.waiting:,} and {cluster.under_way:,} under way"
        for each in cluster.workers:
            again = f" ({each.again:,} again)" if each.again else ""
            yield f"{each.name} {each.language} {each.state} {each.rate:,.0f}/s {each.total:,}{again}"
        yield f"published {cluster.producer.rate:,.0f}/s {cluster.producer.total:,}"

    def close(self):
        pass


class Screen:
    """Draws over what it has drawn before. The cursor is hidden meanwhile, and long lines are cut by the terminal."""

    def __init__(self):
        self.height = 0
        self.events = []
        self.styled = not os.environ.get("NO_COLOR")
        sys.stdout.write("\x1b[?25l\x1b[?7l")

    def event(self, seconds, text):
        self.events = [*self.events, (seconds, text)][-4:]

    def draw(self, cluster):
        lines = list(self._lines(cluster))[: shutil.get_terminal_size().lines - 1]
        up = f"\r\x1b[{self.height}A" if self.height else "\r"
        sys.stdout.write(up + "".join(f"{line}\x1b[K\n" for line in lines) + "\x1b[J")
        sys.stdout.flush()
        self.height = len(lines)

    def close(self):
        sys.stdout.write("\x1b[?7h\x1b[?25h")
        sys.stdout.flush()

    def _style(self, code, text):
        return f"\x1b[{code}m{text}\x1b[0m" if self.styled else text

    def _lines(self, cluster):
        count = len(cluster.workers)
        crew = f"{COUNTED.get(count, f'{count} workers')}, one consumer"
        yield ""
        yield " " + self._style(BOLD, "Streams on NATS JetStream") + self._style(DIM, f"{crew:>54}")
        yield ""
        yield self._style(DIM, f" {'':10}{'language':9}{'state':12}{'a second':>9}  {'':16}  {'total':>10}  {'again':>7}")
        top = max(max(each.rates) for each in cluster.workers)
        for each in cluster.workers:
            yield self._row(each, top, f"{each.again:>7,}", YELLOW if each.again else DIM)
        yield self._row(cluster.producer, max(cluster.producer.rates), f"{'':7}", DIM)
        yield ""
        lag = spark(cluster.lags, max(cluster.lags))
        yield f" {'lag':10}{'':9}{'':12}{cluster.waiting:>9,}  {self._style(CYAN, lag)}  {cluster.under_way:>9,} under way"
        yield ""
        for number in range(4):
            yield self._event(*self.events[number]) if number < len(self.events) else ""
        yield ""
        yield self._style(DIM, f" {clock(cluster.seconds)}   {cluster.hint}")

    def _row(self, member, top, last, color):
        sign, shade = STATES[member.state]
        state = self._style(shade, f"{sign} {member.state:10}")
        numbers = f"{member.rate:>9,.0f}  {self._style(GREEN, spark(member.rates, top))}  {member.total:>10,}"
        return f" {member.name:10}{member.language:9}{state}{numbers}  {self._style(color, last)}"

    def _event(self, seconds, text):
        return f" {self._style(DIM, clock(seconds))}   {text}"


def view():
    """The one that fits standard output."""
    return Screen() if sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" else Lines()
