"""The programs of Docs/nats.md, one after another with one server, print what stands below them."""

import os
import shutil
import subprocess
import sys

import pytest
from nats_server import own_server  # noqa: F401
from streams import nats
from test_guides import ROOT, prints, programs

PLACE = "nats://127.0.0.1:4222"


def test_the_programs_in_python(own_server, tmp_path):
    for each in programs("python", "nats"):
        code, expected = each.values
        prints(expected, tmp_path, sys.executable, "-c", code.replace(PLACE, own_server.url))


def test_the_worker_in_c(own_server, tmp_path):
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("there is no C compiler")
    with nats.Connection(own_server.url) as connection:
        connection.stream("ORDERS").create(["orders.*"])
        for number in range(4):
            connection.publish_confirmed(f"orders.{number % 2}", str(number)).run()
    (code,) = (each.values[0] for each in programs("c", "nats"))
    source, program, libraries = tmp_path / "worker.c", tmp_path / "worker", ROOT / "build" / "lib"
    # Into a pipe it would write its lines when it ends, and it does not.
    code = code.replace("int main(void) {", "int main(void) {\n    setlinebuf(stdout);")
    source.write_text(code.replace(PLACE, own_server.url))
    options = ["-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'Include'}", f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
    subprocess.run([compiler, *options, source, "-o", program, "-lstreams_nats", "-lstreams"], check=True)
    with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as worker:
        lines = [worker.stdout.readline() for _ in range(4)]
        worker.kill()
    assert lines == ["orders.0 0\n", "orders.1 1\n", "orders.0 2\n", "orders.1 3\n"]
