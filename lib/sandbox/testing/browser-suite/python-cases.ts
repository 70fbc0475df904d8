// What Python in the sandbox must do and withstand: cases as in sandbox-cases.ts.
import assert from 'node:assert/strict'
import { waitsFor } from '@/lib/sandbox/sandbox'
import type { RunReport } from './page'
import { lines, messageOf, returned, returnedText, shown, threw, type SandboxCase } from './sandbox-case'

const progress = ({ events }: RunReport): readonly string[] =>
  events.flatMap((event) => (event.type === 'progress' ? [waitsFor([event])] : []))

const sales = 'region,amount\nnorth,10\nsouth,32\nnorth,5\n'

const cases: readonly SandboxCase[] = [
  {
    name: 'the user stops it while it loads, and the next run loads again',
    code: '1',
    assetDelayMs: 1_000,
    stopAfterMs: 300,
    expect: (r) => {
      assert.equal(r.outcome.kind, 'stopped')
      assert.ok(r.wallMs < 5_000, `${Math.round(r.wallMs)} ms`)
    },
  },
  {
    name: 'loads on first use, tells how far it is, and takes none of the run’s time for it',
    code: 'sum(range(10))',
    timeoutMs: 3_000,
    assetDelayMs: 1_000,
    expect: (r) => {
      assert.equal(returned(r), 45)
      const texts = progress(r)
      assert.match(texts[0] ?? '', /^Loading Python, \d+ of 13 MB$/)
      assert.deepEqual(texts.slice(-3), ['Loading Python, 13 of 13 MB', 'Starting Python', ''])
    },
  },
  {
    name: 'starts again without loading anything',
    code: 'import sys\nsys.version_info[:2]',
    expect: (r) => {
      assert.deepEqual(returned(r), [3, 14])
      assert.deepEqual(progress(r), [])
    },
  },
  {
    // In the form that `run-code.ts` writes.
    name: 'runs a script with arguments, its folder on the path, and its exit code as an error',
    files: {
      '/skills/a/scripts/boxes.py': 'def area(w, h):\n    return w * h\n',
      '/skills/a/scripts/run.py':
        'import argparse, sys\nfrom boxes import area\n\nif __name__ == "__main__":\n    parser = argparse.ArgumentParser()\n    parser.add_argument("sides", nargs=2, type=int)\n    sides = parser.parse_args().sides\n    print(sys.argv[0], area(*sides))\n    sys.exit(3)\n',
    },
    code: `import runpy, sys
sys.argv = ["/skills/a/scripts/run.py", "6", "7"]
sys.path.insert(0, "/skills/a/scripts")
_ = runpy.run_path("/skills/a/scripts/run.py", run_name="__main__")`,
    expect: (r) => {
      assert.deepEqual(lines(r), ['log: /skills/a/scripts/run.py 42'])
      threw(r, /^SystemExit: 3$/)
    },
  },
  {
    name: 'runs a script with a shebang, options, a package beside it and files of its skill',
    files: {
      '/skills/stats/scripts/report.py': `#!/usr/bin/env python3
# -*- coding: utf-8 -*-
'''Reports the mean of a column.'''
from __future__ import annotations

import argparse
import json
from pathlib import Path

from tools import describe
from tools.io.reader import rows

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--column", default="n")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    config = json.loads((ROOT / "assets" / "config.json").read_text(encoding="utf-8"))
    print(describe(rows(options.file), options.column), config["unit"], options.verbose)
    return 0


if __name__ == "__main__":
    main()
`,
      '/skills/stats/scripts/tools/__init__.py':
        'from .numbers import mean\n\ndef describe(rows, column):\n    return mean([float(row[column]) for row in rows])\n',
      '/skills/stats/scripts/tools/numbers.py':
        'import statistics\n\ndef mean(values):\n    return statistics.fmean(values)\n',
      '/skills/stats/scripts/tools/io/__init__.py': '',
      '/skills/stats/scripts/tools/io/reader.py':
        'import csv\n\ndef rows(path):\n    with path.open(newline="") as file:\n        return list(csv.DictReader(file))\n',
      '/skills/stats/assets/config.json': '{"unit": "kg"}',
      '/in.csv': 'name,n\na,1\nb,4\n',
    },
    code: `import runpy, sys
sys.argv = ["/skills/stats/scripts/report.py", "/in.csv", "--column", "n", "-v"]
sys.path.insert(0, "/skills/stats/scripts")
_ = runpy.run_path("/skills/stats/scripts/report.py", run_name="__main__")`,
    expect: (r) => assert.deepEqual(lines(r), ['log: 2.5 kg True']),
  },
  {
    name: 'runs a script in a nested folder that puts the folder of its library on the path',
    files: {
      '/skills/deep/scripts/jobs/daily/run.py': `import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import shapes
from helpers import double
print(shapes.area(double(3), 7), sys.argv[1:])
`,
      '/skills/deep/scripts/jobs/daily/helpers.py': 'def double(n):\n    return 2 * n\n',
      '/skills/deep/scripts/lib/shapes/__init__.py': 'from shapes.square import area\n',
      '/skills/deep/scripts/lib/shapes/square.py': 'def area(w, h):\n    return w * h\n',
    },
    code: `import runpy, sys
sys.argv = ["/skills/deep/scripts/jobs/daily/run.py", "a b"]
sys.path.insert(0, "/skills/deep/scripts/jobs/daily")
_ = runpy.run_path("/skills/deep/scripts/jobs/daily/run.py", run_name="__main__")`,
    expect: (r) => assert.deepEqual(lines(r), ["log: 42 ['a b']"]),
  },
  {
    name: 'the standard library: csv, json, statistics, sqlite3',
    code: `import csv, json, statistics, sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table t (region, amount int)")
with open("/data/sales.csv") as f:
    rows = list(csv.DictReader(f))
db.executemany("insert into t values (:region, :amount)", rows)
{"by": dict(db.execute("select region, sum(amount) from t group by region")), "mean": statistics.fmean(int(r["amount"]) for r in rows), "n": json.loads("[1]")}`,
    files: { '/data/sales.csv': sales },
    value: { by: { north: 15, south: 32 }, mean: 15.666666666666666, n: [1] },
  },
  {
    name: 'changes of files come back: made, changed, deleted, folders; the rest is left alone',
    code: `import os, pathlib, shutil, tempfile
open("/made.txt", "w").write("made")
with open("/notes/a.md", "a") as f: f.write(" and more")
os.remove("/old.txt")
os.makedirs("/out/deep")
pathlib.Path("out/deep/b.bin").write_bytes(bytes(3))
shutil.rmtree("/gone")
pathlib.Path("/same.txt").write_text("same")
tempfile.NamedTemporaryFile(delete=False).write(b"x")
pathlib.Path("/lib/mine.py").write_text("x = 1")
sorted(os.listdir("/"))`,
    files: {
      '/notes/a.md': 'a',
      '/old.txt': 'old',
      '/same.txt': 'same',
      '/gone/x': 'x',
      '/gone/y/z': 'z',
      '/.nod/results/1.txt': 'r',
    },
    expect: (r) => {
      assert.deepEqual(returned(r), ['lib', 'made.txt', 'notes', 'out', 'same.txt'])
      assert.deepEqual(r.files, {
        '/.nod/results/1.txt': 'r',
        '/lib/mine.py': 'x = 1',
        '/made.txt': 'made',
        '/notes/a.md': 'a and more',
        '/out/deep/b.bin': '\0\0\0',
        '/same.txt': 'same',
      })
      // All of it in one step.
      assert.equal(r.changes, 1)
    },
  },
  {
    name: 'an exception shows the code’s own lines, and what was written before it stays',
    code: `open("/before.txt", "w").write("kept")
def half(x):
    return 1 / x
half(0)`,
    expect: (r) => {
      threw(r, /^Traceback[\s\S]*line 4, in <module>[\s\S]*line 3, in half[\s\S]*ZeroDivisionError: division by zero$/)
      assert.doesNotMatch(messageOf(r), /python3|pyodide/)
      assert.deepEqual(r.files, { '/before.txt': 'kept' })
    },
  },
  {
    name: 'files that can only be read say so at the first change, and temporary ones can be made',
    files: { '/keep': 'kept' },
    readOnly: true,
    code: `import errno, os, tempfile
def code(change):
    try: change()
    except OSError as error: return errno.errorcode[error.errno]
    return "done"
with tempfile.TemporaryFile() as f: f.write(b"x")
[open("/keep").read(), *map(code, [
    lambda: open("/new", "w"), lambda: open("/keep", "w"), lambda: open("/keep", "a"), lambda: os.remove("/keep"),
    lambda: os.rename("/keep", "/k"), lambda: os.mkdir("/d"), lambda: os.truncate("/keep", 0)])]`,
    expect: (r) => {
      assert.deepEqual(returned(r), ['kept', ...Array.from({ length: 7 }, () => 'EROFS')])
      assert.deepEqual(r.files, { '/keep': 'kept' })
    },
  },
  {
    name: 'what the chat can’t hold is refused as a whole, with the reason',
    files: { '/a': 'one' },
    code: 'open("/a", "w").write("two")\nopen("/huge", "wb").truncate(50_000_001)',
    expect: (r) => {
      threw(r, /^The code ran to its end\. None of its changes to files were kept: .*\.$/)
      assert.deepEqual(r.files, { '/a': 'one' })
    },
  },
  {
    name: 'a list of changes that the code forges is checked as any, and costs the run its own',
    files: { '/keep': 'kept' },
    code: `import js
from pyodide.ffi import to_js
js.postMessage(to_js({"type": "call", "id": 9000, "op": "commit", "args": ['[{"kind":"write","path":"/../x","at":0,"size":1}]', js.Blob.new(["x"])]}, dict_converter=js.Object.fromEntries))
open("/own", "w").write("x")`,
    expect: (r) => {
      threw(r, /None of its changes to files were kept/)
      assert.deepEqual(r.files, { '/keep': 'kept' })
    },
  },
  { name: 'a SyntaxError names its line', code: 'x = 1\ny = (', expect: (r) => threw(r, /line 2[\s\S]*never closed/) },
  {
    name: 'print and stderr are console lines, also from a loop that never ends',
    code: `import sys
print("out", 1)
print("err", file=sys.stderr)
print("no break", end="")
while True: pass`,
    timeoutMs: 3_000,
    expect: (r) => {
      assert.equal(r.outcome.kind, 'timed-out')
      assert.deepEqual(lines(r), ['log: out 1', 'error: err'])
      assert.deepEqual(r.files, {})
    },
  },
  {
    name: 'the user stops it while it runs',
    code: 'while True: pass',
    stopAfterMs: 1_500,
    timeoutMs: 20_000,
    expect: (r) => assert.equal(r.outcome.kind, 'stopped'),
  },
  {
    name: 'nothing is left of an earlier run',
    code: `import builtins, sys, json
first = not hasattr(builtins, "mark") and not hasattr(json, "mark") and "left" not in globals()
builtins.mark = json.mark = left = True
first`,
    expect: (r) => assert.equal(returned(r), true),
  },
  {
    name: 'still nothing is left of it, and random numbers are others',
    code: `import builtins, json, random
[hasattr(builtins, "mark"), hasattr(json, "mark"), "left" in globals(), random.random() == random.Random(0).random()]`,
    value: [false, false, false, false],
  },
  {
    name: 'a snapshot that foreign code sends is not believed',
    code: `import js
from pyodide.ffi import to_js
js.postMessage(to_js({"type": "snapshot", "snapshot": js.Uint8Array.new(10)}, dict_converter=js.Object.fromEntries))
"sent"`,
    value: 'sent',
  },
  { name: 'the run after it is whole', code: '6 * 7', value: 42 },
  {
    name: 'Python’s values: JSON where it can be, else as Python writes them',
    code: '[None, True, 1.5, "ü", (1, 2)]',
    value: [null, true, 1.5, 'ü', [1, 2]],
  },
  { name: 'a value that JSON can’t hold', code: '{1, 2}', expect: (r) => assert.equal(returnedText(r), '{1, 2}') },
  {
    name: 'await at the top level',
    code: 'import asyncio\nawait asyncio.sleep(0.005)\n"later"',
    value: 'later',
  },
  {
    name: 'display shows text, tables, images, SVG and HTML, and what can show itself',
    code: `class Chart:
    def _repr_svg_(self): return "<svg xmlns='http://www.w3.org/2000/svg'/>"
display("text", [{"a": 1, "b": None}, {"a": "x"}], {"k": [1]})
display(b"\\x89PNG\\r\\n\\x1a\\n", Chart(), {"html": "<b>x</b>"}, "<svg></svg>")`,
    expect: (r) => {
      assert.equal(returnedText(r), 'undefined')
      assert.deepEqual(
        shown(r).map(({ kind, data }) => [kind, data]),
        [
          ['text', 'text'],
          ['table', '{"columns": ["a", "b"], "rows": [[1, null], ["x", null]], "total": 2}'],
          ['json', '{"k":[1]}'],
          ['image', 'data:image/png;base64,iVBORw0KGgo='],
          ['svg', "<svg xmlns='http://www.w3.org/2000/svg'/>"],
          ['html', '<b>x</b>'],
          ['svg', '<svg></svg>'],
        ],
      )
    },
  },
  { name: 'input can’t ask', code: 'input("name?")', expect: (r) => threw(r, /line 1[\s\S]*input\(\) can't ask/) },
  {
    name: 'a package that is not included says what is',
    code: 'import numpy as np',
    expect: (r) => threw(r, /numpy is not included; these are: the standard library/),
  },
  {
    name: 'no network: urllib, sockets, js.fetch, pyfetch, XMLHttpRequest, WebSocket',
    code: `import urllib.request, socket, js, _socket
from pyodide.http import pyfetch, open_url
said = []
def attempt(name, f):
    try: f(); said.append(name)
    except BaseException as e: print(name, e)
attempt("urllib", lambda: urllib.request.urlopen("http://HOST/urllib", timeout=1))
attempt("socket", lambda: socket.create_connection("HOST".split(":"), 1))
attempt("connect", lambda: socket.socket().connect(("127.0.0.1", int("HOST".split(":")[1]))))
attempt("raw", lambda: _socket.socket().connect(("127.0.0.1", int("HOST".split(":")[1]))) or 1/0)
attempt("open_url", lambda: open_url("http://HOST/open_url"))
attempt("xhr", lambda: js.XMLHttpRequest.new())
attempt("ws", lambda: js.WebSocket.new("ws://HOST/ws"))
attempt("import", lambda: js.importScripts("http://HOST/import.js"))
attempt("proto", lambda: js.Object.getPrototypeOf(js.Object.getPrototypeOf(js.self)).fetch("http://HOST/proto") and 1/0)
for f in (lambda: js.fetch("http://HOST/fetch"), lambda: pyfetch("http://HOST/pyfetch")):
    try: await f(); said.append("fetch")
    except BaseException as e: print("fetch", e)
said`,
    expect: (r) => {
      assert.deepEqual(returned(r), [])
      assert.match(lines(r).join('\n'), /urllib <urlopen error There is no network here/)
      assert.match(lines(r).join('\n'), /xhr .*There is no network here/)
    },
  },
  {
    name: 'modules of the chat can be imported, and leave no compiled files',
    code: 'from tools.maths import double\ndouble(21)',
    files: { '/tools/maths.py': 'def double(x):\n    return 2 * x\n' },
    expect: (r) => {
      assert.equal(returned(r), 42)
      assert.deepEqual(Object.keys(r.files), ['/tools/maths.py'])
    },
  },
]

export const pythonCases: readonly SandboxCase[] = cases.map((each) => ({
  language: 'python',
  timeoutMs: 20_000,
  ...each,
  name: `Python: ${each.name}`,
}))
