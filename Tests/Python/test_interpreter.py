"""Interpreters that the library could not call back are refused with a message."""

import pytest
from programs import run

FAKES = {
    "free-threaded": (
        "import sys; sys.abiflags += 't'",
        "this is a free-threaded build",
    ),
    "another implementation": (
        "import sys, types; sys.implementation = types.SimpleNamespace(**{**vars(sys.implementation), 'name': 'pypy'})",
        "this is pypy",
    ),
}


@pytest.mark.parametrize("name", FAKES)
def test_it_is_refused_before_anything_is_loaded(name):
    fake, reason = FAKES[name]
    program = (
        f"{fake}\ntry:\n    import streams\nexcept ImportError as error:\n    print(error)\n"
        "import sys\nassert 'streams._native.library' not in sys.modules"
    )
    result = run(program)
    text = result.stdout.decode()
    assert result.returncode == 0 and reason in text and "needs CPython with its global interpreter lock" in text


def test_a_subinterpreter_is_refused():
    result = run(
        """
        import sys
        try:
            import _interpreters as interpreters
        except ImportError:
            try:
                import _xxsubinterpreters as interpreters
            except ImportError:
                print("none")
                sys.exit()
        import streams
        program = '''
        try:
            import streams
        except ImportError as error:
            if "subinterpreter" in str(error) or "does not support loading in subinterpreters" in str(error):
                raise SystemExit
            raise
        raise AssertionError("imported")
        '''
        import textwrap
        new = interpreters.create()
        try:
            failure = interpreters.run_string(new, textwrap.dedent(program))
        except BaseException as error:
            failure = error
        print(failure)
        """
    )
    text = result.stdout.decode()
    assert result.returncode == 0 and ("SystemExit" in text or text in ("none\\n", "None\\n")), text
