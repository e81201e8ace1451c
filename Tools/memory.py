"""How programs are run under valgrind: a report, or a leak, is a failure. Standard library only."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]

COMMAND = ["valgrind", "--quiet", "--fair-sched=yes", "--leak-check=full", "--num-callers=30"]
COMMAND += ["--show-leak-kinds=definite,indirect,possible", "--errors-for-leak-kinds=definite,indirect,possible"]
COMMAND += ["--error-exitcode=99", f"--suppressions={ROOT / 'Tests' / 'Library' / 'valgrind.supp'}"]
