"""Draws days of temperatures as an SVG picture, with only the standard library."""

import html

WIDTH, HEIGHT = 1200, 620
LEFT, RIGHT, TOP, BOTTOM = 74, 32, 142, 112
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

INK, SOFT, FAINT, PAPER, ICE = "#22303c", "#6b7a86", "#dde3e8", "#fbfaf7", "#3f8fd2"
# The color of a temperature, in °C.
COLORS = [(-5, "#2b4c9b"), (2, "#4a90c8"), (8, "#7fc4c0"), (14, "#f3d58a"), (20, "#f0994f"), (27, "#d1493f")]
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
SOURCE = "Hourly normals of air temperature, NOAA National Centers for Environmental Information (public domain)"

STYLE = f"""
  text {{ font-family: "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; fill: {SOFT}; font-size: 13px }}
  .title {{ font-size: 27px; font-weight: 700; fill: {INK} }}
  .subtitle {{ font-size: 15px }}
  .strong {{ fill: {INK}; font-weight: 600 }}
  .end {{ text-anchor: end }}
  .middle {{ text-anchor: middle }}
  .grid {{ stroke: {FAINT}; stroke-width: 1 }}
"""


class Chart:
    """Collects the elements of the picture, from back to front."""

    def __init__(self, days, frost):
        self.days, self.frost = days, frost
        self.low = 5 * (min([day.low for day in days] + [frost]) // 5)
        self.high = -5 * (-max([day.high for day in days] + [frost]) // 5)
        if self.high <= self.low:
            self.high = self.low + 5
        self.step = PLOT_WIDTH / len(days)
        self.elements = []

    def x(self, index):
        return LEFT + (index + 0.5) * self.step

    def y(self, degrees):
        return TOP + (self.high - degrees) / (self.high - self.low) * PLOT_HEIGHT

    def add(self, text):
        self.elements.append("  " + text)

    def text(self, x, y, content, kind=""):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(content)}</text>')

    def line(self, points):
        return " ".join(f"{'L' if index else 'M'}{x:.1f} {y:.1f}" for index, (x, y) in enumerate(points))

    # ---- the parts -----------------------------------------------------------------------------------------------

    def heading(self):
        first, last = self.days[0], self.days[-1]
        year = first.date[:4] if first.date[:4] == last.date[:4] else f"{first.date[:4]}–{last.date[:4]}"
        mean = sum(day.mean for day in self.days) / len(self.days)
        frosty = sum(day.low < self.frost for day in self.days)
        self.text(LEFT, 48, f"The temperatures of Seattle, {year}", "title")
        about = f"{len(self.days)} days with a mean of {mean:.1f} °C. On {frosty} of them the air fell below "
        self.text(LEFT, 76, f"{about}{self.frost:g} °C: the ground may freeze.", "subtitle")

    def scales(self):
        gap = 5 if self.high - self.low <= 50 else 20
        degrees = self.low
        while degrees <= self.high:
            y = self.y(degrees)
            self.add(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>')
            self.text(LEFT - 12, y + 4.5, f"{degrees:g}", "end")
            degrees += gap
        self.text(LEFT - 12, TOP - 16, "°C", "end strong")
        starts = [i for i, day in enumerate(self.days) if i == 0 or day.date[:7] != self.days[i - 1].date[:7]]
        for start, end in zip(starts, starts[1:] + [len(self.days)]):
            x = LEFT + start * self.step
            if start:
                self.add(f'<path d="M{x:.1f} {TOP}V{TOP + PLOT_HEIGHT}" class="grid"/>')
            if (end - start) * self.step > 28:
                self.text((x + LEFT + end * self.step) / 2, TOP + PLOT_HEIGHT + 46, self.month(start), "middle")

    def month(self, index):
        number = int(self.days[index].date[5:7])
        return MONTHS[number - 1] if 1 <= number <= 12 else self.days[index].date[5:7]

    def band(self):
        upper = [(self.x(i), self.y(day.high)) for i, day in enumerate(self.days)]
        lower = [(self.x(i), self.y(day.low)) for i, day in enumerate(self.days)]
        if len(self.days) == 1:
            self.add(f'<path d="{self.line(upper + lower)}" stroke="url(#warmth)" stroke-width="8"/>')
        self.add(f'<path d="{self.line(upper + lower[::-1])}Z" fill="url(#warmth)" fill-opacity=".82"/>')
        mean = [(self.x(i), self.y(day.mean)) for i, day in enumerate(self.days)]
        for color, width in ((PAPER, 5), (INK, 2.2)):
            self.add(
                f'<path d="{self.line(mean)}" fill="none" stroke="{color}" stroke-width="{width}" '
                'stroke-linejoin="round" stroke-linecap="round"/>'
            )

    def ice(self):
        """The frost limit, and a strip below the plot with a mark for each colder day."""
        y = self.y(self.frost)
        self.add(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{ICE}" stroke-dasharray="2 5" stroke-width="1.6"/>')
        top = TOP + PLOT_HEIGHT + 12
        self.add(f'<rect x="{LEFT}" y="{top}" width="{PLOT_WIDTH}" height="12" rx="3" fill="#eceff1"/>')
        for index, day in enumerate(self.days):
            if day.low < self.frost:
                x, width = self.x(index) - self.step * 0.41, self.step * 0.82
                title = f"<title>{day.date}: {day.low:.1f} °C</title>"
                self.add(f'<rect x="{x:.2f}" y="{top}" width="{width:.2f}" height="12" fill="{ICE}">{title}</rect>')

    def extremes(self):
        for pick, field, word, offset in ((max, "high", "warmest", -14), (min, "low", "coldest", 24)):
            index = pick(range(len(self.days)), key=lambda i: getattr(self.days[i], field))
            degrees = getattr(self.days[index], field)
            x, y = self.x(index), self.y(degrees)
            self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>')
            side = "" if x < LEFT + 90 else "end" if x > WIDTH - RIGHT - 90 else "middle"
            label = f"{word}, {self.month(index)} {int(self.days[index].date[8:])}: {degrees:.1f} °C"
            self.text(x, y + offset, label, f"strong {side}")

    def legend(self):
        x, y = LEFT, 106
        self.add(f'<rect x="{x}" y="{y - 10}" width="34" height="13" rx="2" fill="url(#key)"/>')
        self.text(x + 42, y + 1, "coldest to warmest hour of the day")
        self.add(f'<path d="M{x + 285} {y - 4}h34" stroke="{INK}" stroke-width="2.2"/>')
        self.text(x + 327, y + 1, "mean of the day")
        self.add(f'<path d="M{x + 455} {y - 4}h34" stroke="{ICE}" stroke-dasharray="2 5" stroke-width="1.6"/>')
        self.text(x + 497, y + 1, f"frost limit, {self.frost:g} °C")
        self.add(f'<rect x="{x + 625}" y="{y - 10}" width="4" height="13" fill="{ICE}"/>')
        self.add(f'<rect x="{x + 631}" y="{y - 10}" width="4" height="13" fill="{ICE}"/>')
        self.text(x + 643, y + 1, "days with frost")

    def gradients(self):
        """One color for each temperature, whatever the scale is; also from left to right, for the legend."""
        stops = "".join(
            f'<stop offset="{(degrees - COLORS[0][0]) / (COLORS[-1][0] - COLORS[0][0]):.3f}" stop-color="{color}"/>'
            for degrees, color in COLORS
        )
        y1, y2 = self.y(COLORS[0][0]), self.y(COLORS[-1][0])
        where = f'gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="{y1:.1f}" y2="{y2:.1f}"'
        return (
            f'<linearGradient id="warmth" {where}>{stops}</linearGradient><linearGradient id="key">{stops}</linearGradient>'
        )

    def draw(self):
        for part in (self.heading, self.legend, self.scales, self.ice, self.band, self.extremes):
            part()
        self.text(LEFT, HEIGHT - 24, "Source: " + SOURCE)
        return "\n".join([*page(self.gradients()), *self.elements, "</svg>\n"])


def page(definitions=""):
    """The beginning of the picture."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
    yield "  <title>The temperatures of Seattle</title>"
    yield f"  <style>{STYLE}  </style>"
    yield f"  <defs>{definitions}</defs>"
    yield f'  <rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>'


def draw(days, frost):
    """The picture of a list of days, as the text of an SVG file."""
    if days:
        return Chart(days, frost).draw()
    empty = f'  <text x="{WIDTH / 2}" y="{HEIGHT / 2}" class="subtitle middle">There are no readings.</text>'
    return "\n".join([*page(), empty, "</svg>\n"])
