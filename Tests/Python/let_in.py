"""Lets other code run between any two instructions of a function, as other threads do."""

import itertools
import sys


def before_each_instruction(function, attempt):
    """Calls `attempt` for each instruction of a function that it runs: with a function `begin`, which begins to look for the
    instruction, and is given what is called before it."""
    for number in itertools.count(1):
        left, tracer = number, sys.gettrace()

        def begin(other, code=function.__code__):
            def trace(frame, event, _):
                nonlocal left
                if frame.f_code is code:
                    frame.f_trace_opcodes = True
                    left -= event == "opcode"
                    if event == "opcode" and left == 0:
                        other()
                return trace

            sys._getframe().f_trace_opcodes = True  # 3.12 asks for it before there is a tracer
            sys.settrace(trace)

        try:
            attempt(begin)
        finally:
            sys.settrace(tracer)
        if left > 0:
            assert number > 10, "the function has not run"
            return
