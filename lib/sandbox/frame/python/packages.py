# Packages beside the standard library: which of them code needs, and what is said when one is missing; runs before bootstrap.py, in
# the same names. libraries/python.ts loads them: `_nod_wanted` tells it which, before the code runs.
import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys

# Loaded here so that they cost nothing in a run that starts from the snapshot: wheels are unpacked with them.
import shutil
import zipfile

# Of the chat's own modules that are looked through for imports.
_MAX_SCANNED_FILES = 300
_MAX_SCANNED_BYTES = 4_000_000

# By module names: the package that has it. Filled at each run, when its code imports more than the standard library.
_installed = {}


def _own_module(name):
    """Where the chat has a module of this name: its file or folder; None where it has none."""
    if os.path.isfile(f"/{name}.py"):
        return f"/{name}.py"
    folder = f"/{name}"
    if os.path.isdir(folder) and any(each.endswith(".py") for each in os.listdir(folder)):
        return folder
    return None


def _files_of(place):
    if not os.path.isdir(place):
        return [place]
    return [os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names if name.endswith(".py")]


def _imported_by(code):
    """Top-level names that a source imports; nothing where it can't be read."""
    try:
        tree = compile(code, "code.py", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def _nod_wanted(code):
    """
    What code imports, itself or by the chat's own modules, and the standard library has not: names, as JSON, each with the place
    of the chat's own module of that name, or null.
    """
    wanted, seen, sources = {}, set(), [code]
    files, size = 0, 0
    while sources:
        for name in _imported_by(sources.pop()):
            if name in seen:
                continue
            seen.add(name)
            # `js` and `pyodide` are there without being of the library.
            if name in sys.stdlib_module_names or name in sys.modules:
                continue
            place = _own_module(name)
            wanted[name] = place
            for file in _files_of(place) if place else ():
                files += 1
                size += os.path.getsize(file)
                if files <= _MAX_SCANNED_FILES and size <= _MAX_SCANNED_BYTES:
                    with open(file, errors="replace") as source:
                        sources.append(source.read())
    return json.dumps(wanted)


def _nod_know(installed, load):
    """`installed`: packages by the names of their modules, as JSON. `load(name)`: loads the package of a module, after the others."""
    _installed.update(json.loads(installed))
    sys.meta_path.append(_LateFinder(load))


class _LateFinder(importlib.abc.MetaPathFinder):
    """Loads a package that no source names (`pandas` imports openpyxl when it reads a workbook), where Python can wait for it."""

    def __init__(self, load):
        self.load = load

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in _installed:
            return None
        from pyodide.ffi import can_run_sync, run_sync

        if not can_run_sync():
            return None
        sys.meta_path.remove(self)
        try:
            run_sync(self.load(name))
            importlib.invalidate_caches()
            return importlib.machinery.PathFinder.find_spec(name)
        finally:
            sys.meta_path.append(self)


def _missing_module(error):
    name = (error.name or "").split(".")[0]
    if name == "" or name in sys.stdlib_module_names:
        return None
    if name in _installed:
        return f"The package {_installed[name]} is there, but was not loaded: write `import {name}` into the code itself."
    packages = sorted(set(_installed.values()))
    listed = f", the packages {', '.join(packages)}" if packages else ""
    return (
        f"{name} is not included; these are: the standard library (json, csv, statistics, sqlite3, …){listed} "
        "and the .py files of this chat. A run cannot install packages; whoever runs this server can add them."
    )


_FIGURES = '''
from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg


class FigureManager(FigureManagerBase):
    @classmethod
    def pyplot_show(cls, *, block=None):
        for manager in Gcf.get_all_fig_managers():
            display(manager.canvas.figure)
        Gcf.destroy_all()

    def show(self):
        display(self.canvas.figure)


class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager
'''


class _Figures(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The module that `MPLBACKEND` names: `plt.show()` displays every open figure, and closes it."""

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == "nod_figures" else None

    def exec_module(self, module):
        exec(_FIGURES, module.__dict__)


sys.meta_path.append(_Figures())
