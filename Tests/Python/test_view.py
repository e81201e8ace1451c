"""`python -m streams view`: a recorded run as a page."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from streams import PassthroughSubject, debug
from streams._inspect import pages

NODE = shutil.which("node")


def run(path):
    with debug.trace_file(path):
        subject = PassthroughSubject()
        with subject.map(str).merge(PassthroughSubject()).sink():
            subject.send(1)
            subject.send("</script>")
    return path


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def main(*arguments, **options):
    command = [sys.executable, "-m", "streams", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def test_a_page_is_made(tmp_path):
    path = run(tmp_path / "run.json")
    done = main("view", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / 'run.html'}\n", "")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    data = data_of(page)
    assert [(row["name"], row["depth"], row["of"]) for row in data["rows"]] == [
        ("merge()", 0, -1), ("map(str)", 1, 0), ("PassthroughSubject()", 2, 1), ("PassthroughSubject()", 1, 0),
    ]  # fmt: skip
    assert all(os.path.basename(__file__) in row["place"] for row in data["rows"])
    own = (pathlib.Path(pages.__file__).parent / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"src=|href=|url\(|import\b|fetch\(|https?:", own), "something comes from elsewhere"


def test_another_name_for_the_page(tmp_path):
    path = run(tmp_path / "run.json")
    assert main("view", path, tmp_path / "page.html").returncode == 0
    assert (tmp_path / "page.html").exists()


def test_each_event_knows_the_calls_that_led_to_it(tmp_path):
    data = data_of(pages.page(pages.events_of(run(tmp_path / "run.json").read_text()), "run"))
    events, texts = data["events"], data["texts"]
    values = [index for index, kind in enumerate(events["kind"]) if kind == 0]
    assert [texts[events["text"][each]] for each in values] == ["1"] * 3 + ["</script>"] * 3

    def calls(index):
        while index >= 0:
            row = events["row"][index]
            yield texts[events["text"][index]] if row < 0 else data["rows"][row]["name"]
            index = events["parent"][index]

    assert list(calls(values[2])) == ["merge()", "map(str)", "PassthroughSubject()", "send 1 (PassthroughSubject())"]


def test_a_run_that_was_killed(tmp_path):
    text = run(tmp_path / "run.json").read_text()
    whole = pages.events_of(text)
    assert pages.events_of(text[:-3]) == whole
    assert pages.events_of(text[:-20]) == whole[:-1]
    assert pages.events_of(json.dumps({"traceEvents": whole})) == whole


OTHER = [
    "", "{}", "[1]", '[{"x": 1}]', "not JSON", "1", "null", '"text"', "[" * 100_000, "\0", '{"traceEvents": 1}',
    '[{"ph": "M"}]', '[{"ph": "B", "tid": {}}]', '[{"ph": "i", "tid": 1, "ts": "now"}]', '[{"ph": ["B"]}]', "[[]]",
    '[{"ph": "B", "tid": 1, "ts": 1, "args": 1, "name": 1}]', '[{"ph": "B", "tid": 1, "ts": 1e999, "name": ""}]',
]  # fmt: skip


@pytest.mark.parametrize("text", OTHER, ids=lambda text: text[:50])
def test_other_files(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    done = main("view", tmp_path / "x.json")
    assert (done.returncode, done.stderr) == (1, f"streams view: {tmp_path}/x.json: this is not a trace file\n")
    assert not (tmp_path / "x.html").exists()


def test_files_that_cannot_be_read_or_written(tmp_path):
    path = run(tmp_path / "run.json")
    (tmp_path / "bytes.json").write_bytes(bytes(range(256)))
    missing = tmp_path / "missing" / "page.html"
    said = {
        (tmp_path,): f"{tmp_path}: Is a directory",
        (tmp_path / "missing.json",): f"{tmp_path}/missing.json: No such file or directory",
        (tmp_path / "bytes.json",): f"{tmp_path}/bytes.json: this is not a trace file",
        ("/proc/self/mem",): "/proc/self/mem: Input/output error",
        (path, missing): f"{missing}: No such file or directory",
        (path, tmp_path): f"{tmp_path}: Is a directory",
    }
    for arguments, sentence in said.items():
        done = main("view", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"streams view: {sentence}\n")


def test_arguments():
    assert main("view").returncode == 2
    assert "view" in main("help").stderr
    assert main("view", "/no/such/file.json").returncode == 1


# ---- The page's own functions, run by node -----------------------------------------------------------------------------

DRAWING = """
const counts = { marks: 0, texts: 0, all: 0 };
const context = new Proxy({}, {
  get: (_, name) => (...given) => {
    counts.all++;
    if (name === 'arc' || name === 'fillRect') counts.marks++;
    if (name === 'fillText') counts.texts++;
    return name === 'measureText' ? { width: 7 * given[0].length } : undefined;
  },
  set: () => true,
});
const data = JSON.parse(require('fs').readFileSync(0, 'utf8')), lists = indexed(data);
const view = { begin: 0, top: 0, width: 1300, height: 600 };
function drawn(scale, begin = 0) {
  Object.assign(counts, { marks: 0, texts: 0, all: 0 });
  draw(context, data, lists, { ...view, scale, begin }, {});
  return { ...counts };
}
"""


def node(page, program, data):
    script = re.search(r"<script>\n(.*?)</script>", page, re.DOTALL)[1]
    done = subprocess.run(
        [NODE, "-e", script + DRAWING + program], input=json.dumps(data), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_what_a_mark_says(tmp_path):
    page = pages.page(pages.events_of(run(tmp_path / "run.json").read_text()), "run")
    program = """
    const first = data.events.kind.indexOf(0), row = data.events.row[first];
    const scale = 10, x = 300 + data.events.time[first] * scale;
    const found = markAt(data, lists, { ...view, scale }, x + 3, 26 + row * 34 + 17);
    const none = markAt(data, lists, { ...view, scale: 1000 }, 301, 26 + 17);
    console.log(JSON.stringify([found === first, none, told(data, found)]));
    """
    is_found, none, said = node(page, program, data_of(page))
    assert is_found and none == -1
    assert said.startswith("value: 1\nat ") and said.endswith(
        "calls:\nsend 1 (PassthroughSubject())\n  PassthroughSubject(): 1"
    )


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_many_events_draw_no_more_than_there_are_pixels():
    count, rows = 100_000, 4
    data = {
        "title": "many", "end": float(count), "texts": ["1"],
        "rows": [dict(name="map", place="", of=each - 1, depth=each, begin=0, end=None) for each in range(rows)],
        "events": {
            "row": [each % rows for each in range(count)], "time": list(range(count)), "kind": [0] * count,
            "text": [0] * count, "parent": [-1] * count, "thread": [1] * count,
        },
    }  # fmt: skip
    page = (pathlib.Path(pages.__file__).parent / "page.html").read_text(encoding="utf-8")
    far, near = node(page, "console.log(JSON.stringify([drawn(0.01), drawn(40, 5000)]))", data)
    assert 3000 < far["marks"] <= rows * 1000 + 100
    assert 5 < near["marks"] < 100 and near["texts"] > 5
