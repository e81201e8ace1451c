"""Examples/Python: what seattle.py prints and draws. That it prints what C and Swift print is another suite's."""

import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Examples"
PROGRAM = EXAMPLES / "Python" / "seattle.py"
DATA = EXAMPLES / "data" / "seattle-temps.csv"
HEAD = "date           min    mean     max  °C\n"
SVG = "{http://www.w3.org/2000/svg}"


def seattle(*arguments, stdin=""):
    result = subprocess.run(
        [sys.executable, "-X", "dev", PROGRAM, *map(str, arguments)],
        input=stdin.encode(),
        capture_output=True,
        timeout=120,
        env={**os.environ, "LC_ALL": "C"},
    )
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def test_the_year(tmp_path):
    picture = tmp_path / "seattle.svg"
    status, out, err = seattle("--picture", picture, DATA)
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0] + "\n" == HEAD
    assert len([line for line in lines if len(line.split()) == 4 and "frost" not in line]) == 365
    readings = len(DATA.read_text().splitlines()) - 1
    alerts = len([line for line in lines if "frost" in line])
    assert lines[-1] == f"requested {-(-readings // 24) * 24}, delivered {readings}, alerted {alerts}"
    assert alerts > 10

    root = xml.etree.ElementTree.parse(picture).getroot()
    texts = "\n".join(text.text or "" for text in root.iter(SVG + "text"))
    for expected in ("Seattle, 2010", "°C", "Jan", "Dec", "Source", "frost", "mean of the day"):
        assert expected in texts
    frosty = [title for title in root.iter(SVG + "title") if "°C" in title.text]
    assert len(frosty) == len([line for line in lines[1:-1] if "frost" not in line and float(line.split()[1]) < 4])


def test_a_small_input():
    text = "date,temp\r\n2010/01/01 00:00,32\r\n\n2010/01/01 01:00,50.0\n2010/01/02 00:00,-4.125"
    assert seattle("--live", stdin=text) == (
        0,
        HEAD
        + "2010/01/01 00:00  frost begins, 0.0 °C\n"
        + "2010/01/01 01:00  frost ends, 10.0 °C\n"
        + "2010/01/01     0.0     5.0    10.0\n"
        + "2010/01/02 00:00  frost begins, -20.1 °C\n"
        + "2010/01/02   -20.1   -20.1   -20.1\n"
        + "requested 24, delivered 3, alerted 3\n",
        "",
    )


def test_the_limit_of_frost():
    _, out, _ = seattle("--frost", "-1.5", "--live", stdin="2010/01/01 00:00,32\n2010/01/01 01:00,10\n")
    assert out.count("frost") == 1 and "alerted 1" in out


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "2010/01/01 00:00",
        "2010/01/01 00:00,",
        "2010/01/01 00:00,1.",
        "2010/01/01 00:00,1234",
        "date,temp",
        " ",
        "2010-01-01 00:00,3",
        "2010/01/01 00:00,+3",
        "2010/01/01 00:00,3 ",
        "2010/01/01 00:00,.5",
        "2010/01/01 00:00,٣",
    ],
)
def test_lines_that_are_no_readings(line):
    text = f"2010/01/01 00:00,50\n{line}\n2010/01/01 02:00,50\n"
    status, out, err = seattle("--live", stdin=text)
    assert (status, err) == (1, "seattle: line 2 is not a reading\n")
    assert "delivered 2" in out


def test_no_input():
    assert seattle("--live") == (0, HEAD + "requested 24, delivered 0, alerted 0\n", "")


def test_a_picture_of_nothing(tmp_path):
    picture = tmp_path / "empty.svg"
    assert seattle("--picture", picture, "--live")[0] == 0
    assert "There are no readings." in picture.read_text()


@pytest.mark.parametrize("days", [1, 2, 40])
def test_pictures_of_few_days(tmp_path, days):
    picture = tmp_path / "few.svg"
    lines = DATA.read_text().splitlines()[: 1 + days * 24]
    assert seattle("--picture", picture, "--live", stdin="\n".join(lines))[0] == 0
    xml.etree.ElementTree.parse(picture)


def test_a_file_that_is_not_there():
    status, out, err = seattle("/nonexistent/file.csv")
    assert (status, err) == (1, "seattle: cannot read /nonexistent/file.csv: No such file or directory\n")
    assert out == HEAD + "requested 24, delivered 0, alerted 0\n"


def test_a_folder():
    status, _, err = seattle("/")
    assert (status, err) == (1, "seattle: cannot read /: Is a directory\n")


@pytest.mark.parametrize("wrong", [["--frost"], ["--frost", "x"], ["--nonsense"], ["a", "b"], ["--live", "a"]])
def test_wrong_arguments(wrong):
    status, out, err = seattle(*wrong)
    assert status == 2 and out == "" and err.startswith("usage: seattle")


def test_live_input_is_reported_as_it_arrives():
    process = subprocess.Popen(
        [sys.executable, "-X", "dev", PROGRAM, "--live"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        read = lambda: process.stdout.readline().decode()  # noqa: E731
        assert read() == HEAD
        process.stdin.write(b"2010/01/01 00:00,32\n")
        process.stdin.flush()
        assert read() == "2010/01/01 00:00  frost begins, 0.0 °C\n"
        process.stdin.write(b"2010/01/02 00:00,50\n")
        process.stdin.flush()
        assert read() == "2010/01/01     0.0     0.0     0.0\n"
        assert read() == "2010/01/02 00:00  frost ends, 10.0 °C\n"
        process.stdin.close()
        assert read() == "2010/01/02    10.0    10.0    10.0\n"
        assert read() == "requested 24, delivered 2, alerted 2\n"
    assert process.returncode == 0


# ---- state that is observed --------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", ["car", "contact", "listing", "movies", "weather"])
def test_observed_state(program):
    path = EXAMPLES / "Python" / "observable" / f"{program}.py"
    result = subprocess.run([sys.executable, "-X", "dev", path], capture_output=True, text=True, timeout=120)
    assert (result.stdout, result.stderr) == ((EXAMPLES / "observable" / f"{program}.txt").read_text(), "")
