# Runs once in a fresh interpreter, before any foreign code and before the memory snapshot that later runs start from, after
# packages.py and display.py, whose names it shares. Nothing in them may hold a JavaScript object: a snapshot can't. `_nod_run`
# is the one entry, called by libraries/python.ts.
import ast
import builtins
import json
import linecache
import math
import os
import sys
import traceback
import types

# Loaded here so that they cost nothing in a run that starts from the snapshot.
import collections
import csv
import datetime
import decimal
import functools
import io
import itertools
import pathlib
import re
import socket
import statistics
import textwrap

from pyodide.code import CodeRunner

_FILE = "code.py"
_NO_NETWORK = "There is no network here: Python reaches the files of this chat, and nothing else."
_MAX_PARTS = 200_000
_MAX_DEPTH = 100
_MAX_TEXT = 8_000


def _fits_json(value):
    """True when JSON holds all of a value and a JavaScript number each of its numbers."""
    parts = 0

    def walk(item, depth):
        nonlocal parts
        parts += 1
        if parts > _MAX_PARTS or depth > _MAX_DEPTH:
            return False
        kind = type(item)
        if item is None or kind is bool or kind is str:
            return True
        if kind is int:
            return -(2**53) < item < 2**53
        if kind is float:
            return math.isfinite(item)
        if kind is list or kind is tuple:
            return all(walk(each, depth + 1) for each in item)
        if kind in (dict, collections.defaultdict, collections.Counter, collections.OrderedDict):
            return all(type(key) is str and walk(each, depth + 1) for key, each in item.items())
        return False

    return walk(value, 0)


def _to_json(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _repr(value):
    try:
        return repr(value)
    except Exception as error:
        return f"<{type(value).__name__} whose repr failed: {type(error).__name__}: {error}>"


def _is_own(frame):
    """Frames of the code itself and of the chat's own modules; the machinery below and the library are left out."""
    return not frame.filename.startswith(("/lib/python", "<frozen", "<exec>"))


def _cut_to_own(trace):
    seen = set()
    while trace is not None and id(trace) not in seen:
        seen.add(id(trace))
        own = [frame for frame in (trace.stack or ()) if _is_own(frame)]
        trace.stack = traceback.StackSummary.from_list(own) if own else None
        if trace.__context__ is not None and trace.__context__ is not trace.__cause__:
            _cut_to_own(trace.__context__)
        for inner in getattr(trace, "exceptions", None) or ():
            _cut_to_own(inner)
        trace = trace.__cause__


def _describe(error):
    trace = traceback.TracebackException.from_exception(error, compact=True)
    _cut_to_own(trace)
    text = "".join(trace.format()).rstrip()
    if isinstance(error, ModuleNotFoundError):
        # Pyodide's own hint speaks of an installer that is not here.
        hint = _missing_module(error)
        if hint is not None:
            head = text.partition("ModuleNotFoundError:")[0]
            text = f"{head}ModuleNotFoundError: No module named {error.name!r}. {hint}"
    if len(text) > _MAX_TEXT:
        half = _MAX_TEXT // 2
        text = f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"
    return text


def _no_input(prompt="", /):
    raise EOFError("input() can't ask anybody here: put the value into the code, or read it from a file.")


def _no_network(*_args, **_options):
    raise OSError(_NO_NETWORK)


class ToolError(Exception):
    """A tool returned no value: the user denied it, it failed, or it is not available here."""


def _tool(name, call):
    def given_as_json(args, given):
        if len(args) > 1 or (args and (given or not isinstance(args[0], dict))):
            raise TypeError(f"tools.{name} takes named arguments, or one dict.")
        return json.dumps(args[0] if args else given)

    def value_of(answer):
        ok, text = json.loads(answer)
        if not ok:
            raise ToolError(text)
        return json.loads(text)

    async def ask(*args, **given):
        return value_of(await call(name, given_as_json(args, given)))

    def ask_now(*args, **given):
        from pyodide.ffi import can_run_sync, run_sync

        if not can_run_sync():
            raise ToolError(f"This browser can't wait here: use `await tools.{name}(…)`.")
        return value_of(run_sync(call(name, given_as_json(args, given))))

    ask.__name__ = ask.__qualname__ = name
    ask.sync = ask_now
    return ask


async def _nod_run(code, show, call, tools):
    """Runs code; gives `[ok, text, is_json]` as JSON. `show(kind, text)` shows one thing. `tools`: names as JSON, or null."""
    # The snapshot's random numbers would be the same in every run.
    sys.modules["random"].seed()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)

    def display(*values):
        for value in values:
            try:
                show(*_shown(value))
            except Exception as error:
                print(f"display: {type(error).__name__}: {error}", file=sys.stderr)

    builtins.display = display
    names = json.loads(tools)
    if names is not None:
        builtins.tools = types.SimpleNamespace(**{name: _tool(name, call) for name in names})
        builtins.ToolError = ToolError
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = main
    # Without a time of change it is never looked for on disk: a file of that name may be there.
    linecache.cache[_FILE] = (len(code), None, code.splitlines(keepends=True), _FILE)

    def end(ok, text, is_json=False):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        return json.dumps([ok, text, is_json])

    try:
        runner = CodeRunner(code, filename=_FILE, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        value = await runner.compile().run_async(main.__dict__)
    except SystemExit as error:
        if error.code in (None, 0):
            return end(True, "undefined")
        return end(False, f"SystemExit: {error.code}")
    except BaseException as error:
        return end(False, _describe(error))
    value = _plain(value)
    if value is None:
        return end(True, "undefined")
    try:
        if _fits_json(value):
            return end(True, _to_json(value), True)
    except Exception:
        # Something in it changed while it was walked: shown as text.
        pass
    return end(True, _repr(value))


builtins.input = _no_input
sys.dont_write_bytecode = True
for _name in ("connect", "connect_ex", "sendto", "bind", "listen"):
    setattr(socket.socket, _name, _no_network)
socket.create_connection = socket.create_server = socket.getaddrinfo = socket.gethostbyname = _no_network
