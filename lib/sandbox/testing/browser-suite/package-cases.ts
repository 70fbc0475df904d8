// Python packages beyond the standard library: those that Nod ships, and wheels made for the suite, which its server
// provides like those of an operator.
import assert from 'node:assert/strict'
import type { TableData } from '../../table-data'
import { makeWheel, nativeWheel, type MadeWheel } from '../make-wheel'
import { lines, returned, shown, threw, type SandboxCase } from './sandbox-case'

/** A PDF of plain letters, because the files of a case are text. */
function plainPdf(text: string): string {
  const content = `BT /F 12 Tf 20 40 Td (${text}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}`
  return `${body}${table}trailer\n<</Root 1 0 R/Size 6>>\nstartxref\n${body.length}\n%%EOF\n`
}

const words = makeWheel({ name: 'greet-words', members: { 'greet_words.py': 'hello = "hello"\n' } })
const greet = makeWheel({
  name: 'greet',
  requires: ['greet-words>=1'],
  members: {
    'greet/__init__.py':
      'from greet_words import hello\ndef to(name): return f"{hello} {name}"\ndef later():\n    import extra_part\n    return extra_part.word\n',
  },
})
const extra = makeWheel({ name: 'extra-part', members: { 'extra_part.py': 'word = "found"\n' } })
const changed = makeWheel({ name: 'changed' })

/** A stand-in for the parts of matplotlib that our backend needs: it draws nothing. */
const plots = makeWheel({
  name: 'matplotlib',
  members: {
    'matplotlib/__init__.py': '',
    'matplotlib/artist.py': 'class Artist:\n    def get_figure(self): return self.figure\n',
    'matplotlib/figure.py': `from .artist import Artist
class FigureBase(Artist):
    def get_figure(self): return self
    def savefig(self, file, format, dpi, bbox_inches):
        file.write(b"\\x89PNG\\r\\n\\x1a\\n" + (b"x" * 1_000_000 if dpi > 72 and self.large else bytes([dpi])))
class Figure(FigureBase):
    large = False
`,
    'matplotlib/backend_bases.py': 'class FigureManagerBase:\n    def __init__(self, canvas): self.canvas = canvas\n',
    'matplotlib/backends/__init__.py': '',
    'matplotlib/backends/backend_agg.py':
      'class FigureCanvasAgg:\n    def __init__(self, figure): self.figure = figure\n',
    'matplotlib/_pylab_helpers.py': `class Gcf:
    figs = []
    @classmethod
    def get_all_fig_managers(cls): return list(cls.figs)
    @classmethod
    def destroy_all(cls): cls.figs.clear()
`,
    'matplotlib/pyplot.py': `import importlib, os
from ._pylab_helpers import Gcf
from .figure import Figure
backend = importlib.import_module(os.environ["MPLBACKEND"].removeprefix("module://"))
def figure():
    made = Figure()
    Gcf.figs.append(backend.FigureCanvas.manager_class(backend.FigureCanvas(made)))
    return made
def show(): backend.FigureCanvas.manager_class.pyplot_show()
`,
  },
})

/** The parts of pandas that a table needs. */
const frames = makeWheel({
  name: 'pandas',
  members: {
    'pandas.py': `class RangeIndex:
    start, step, name, names = 0, 1, None, [None]
class Series: pass
class DataFrame:
    index = RangeIndex()
    def __init__(self, columns, rows): self.columns, self.rows = columns, rows
    def __len__(self): return len(self.rows)
    @property
    def iloc(self): return self
    def __getitem__(self, at): return DataFrame(self.columns[at[1]], [row[at[1]] for row in self.rows[at[0]]])
    def itertuples(self, index, name): return map(tuple, self.rows)
    def _repr_html_(self): return "<table></table>"
def isna(value): return value is None or value != value
`,
  },
})

const added: readonly MadeWheel[] = [words, greet, extra, changed, nativeWheel, plots, frames]

/** The operator's packages on the suite's server, by path. One wheel there does not match its name. */
export const addedPackages: Readonly<Record<string, string | Uint8Array>> = {
  '/api/python': JSON.stringify({ packages: added.map(({ data: _data, ...each }) => each) }),
  ...Object.fromEntries(added.map(({ sha256, data }) => [`/api/python/${sha256}`, data])),
  [`/api/python/${changed.sha256}`]: greet.data,
}

const cases: readonly SandboxCase[] = [
  {
    name: 'what Nod ships: openpyxl writes a workbook and reads it again, pypdf reads a PDF, defusedxml refuses entities',
    nightly: true,
    code: `import pypdf
from defusedxml.ElementTree import fromstring
from openpyxl import Workbook, load_workbook
book = Workbook()
book.active.append(["region", "amount"])
book.active.append(["north", 15])
book.save("/sales.xlsx")
page, = pypdf.PdfReader("/a.pdf").pages
try: fromstring('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
except Exception as error: refused = type(error).__name__
[[[cell.value for cell in row] for row in load_workbook("/sales.xlsx").active], page.extract_text(), refused]`,
    files: { '/a.pdf': plainPdf('Total: 42 EUR') },
    expect: (r) => {
      const rows = [
        ['region', 'amount'],
        ['north', 15],
      ]
      assert.deepEqual(returned(r), [rows, 'Total: 42 EUR', 'EntitiesForbidden'])
      assert.deepEqual(Object.keys(r.files), ['/a.pdf', '/sales.xlsx'])
      assert.deepEqual(lines(r), [])
    },
  },
  {
    name: 'the operator’s: after what they depend on, by way of a module of the chat, native, and imported late',
    code: `from tools.polite import say
import greet, importlib, nodnative, os
[say("Ada"), nodnative.add(40, 2), greet.later(), importlib.import_module("openpyxl").__name__, sorted(os.listdir("/"))]`,
    files: { '/tools/polite.py': 'import greet\ndef say(name): return greet.to(name)\n' },
    expect: (r) => {
      assert.deepEqual(returned(r), ['hello Ada', 42, 'found', 'openpyxl', ['tools']])
      assert.deepEqual(Object.keys(r.files), ['/tools/polite.py'])
      assert.equal(r.changes, 0)
    },
  },
  {
    name: 'a module of the chat that has a package’s name wins, and says so',
    nightly: true,
    code: 'import greet\ngreet.mine',
    files: { '/greet/__init__.py': 'mine = "mine"\n' },
    expect: (r) => {
      assert.equal(returned(r), 'mine')
      assert.deepEqual(lines(r), ['warn: greet is this chat’s own /greet, not the package greet.'])
    },
  },
  {
    name: 'a folder without modules that has a package’s name is no module',
    nightly: true,
    code: 'import greet\ngreet.to("Bo")',
    files: { '/greet/data.csv': 'a,b\n' },
    value: 'hello Bo',
  },
  {
    name: 'a wheel with other bytes is not loaded, and the run says which',
    code: 'print("ran")\nimport changed',
    expect: (r) => {
      threw(r, /The package changed could not be loaded\./)
      assert.deepEqual(lines(r), [])
    },
  },
  {
    name: 'a package that is not there names those that are, and who can add it',
    code: 'import numpy',
    expect: (r) =>
      threw(r, /numpy is not included; .*the packages .*greet, .*openpyxl.* whoever runs this server can add them\.$/s),
  },
  {
    name: 'a DataFrame is a table of at most 1,000 rows and 50 columns, what is missing an empty cell',
    nightly: true,
    code: `import pandas
display(pandas.DataFrame([f"c{n}" for n in range(60)], [[float("nan"), (1, 2), *range(58)] for n in range(1_200)]))`,
    expect: (r) => {
      const [{ kind, data } = { kind: '', data: '{}' }] = shown(r)
      const table = JSON.parse(data) as TableData
      assert.equal(kind, 'table')
      assert.deepEqual([table.columns.length, table.rows.length, table.total], [50, 1_000, 1_200])
      assert.deepEqual(table.rows[999]?.slice(0, 4), [null, '(1, 2)', 0, 1])
    },
  },
  {
    name: 'figures are pictures: plt.show shows all that are open, display one of them, a large one smaller',
    code: `import matplotlib.pyplot as plt
first = plt.figure()
plt.figure()
plt.show()
plt.show()
first.large = True
display(first)`,
    expect: (r) =>
      assert.deepEqual(
        shown(r).map(({ kind, data }) => [kind, atob(data.split(',')[1] ?? '').codePointAt(8)]),
        [
          ['image', 110],
          ['image', 110],
          ['image', 72],
        ],
      ),
  },
]

export const packageCases: readonly SandboxCase[] = cases.map((each) => ({
  language: 'python',
  ...each,
  name: `Python packages: ${each.name}`,
}))
