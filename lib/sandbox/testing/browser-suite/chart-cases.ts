// Tables and charts that code shows, as cases of sandbox-cases.ts.
import assert from 'node:assert/strict'
import type { RunReport } from './page'
import { consoleOf, returnedText, shown, type SandboxCase } from './sandbox-case'

const said = (report: RunReport): string =>
  consoleOf(report)
    .map(({ text }) => text)
    .join('\n')
const only = (report: RunReport) => {
  returnedText(report)
  const [one, ...others] = shown(report)
  if (!one || others.length > 0) throw new assert.AssertionError({ message: said(report) })
  return one
}
const fails = (pattern: RegExp) => (report: RunReport) => {
  assert.deepEqual(shown(report), [])
  assert.match(said(report), pattern)
}

const bars = (
  extra = '',
) => `({ data: { values: [{ a: "A long label of a bar", b: 3 }, { a: "B", b: 5 }] }, mark: "bar",
  encoding: { x: { field: "b", type: "quantitative" }, y: { field: "a", type: "nominal" } }${extra} })`

const tables: readonly SandboxCase[] = [
  {
    name: 'shows lists of objects, rows and Maps as tables',
    code: 'display([{ a: 1, b: "x" }, { a: null, c: new Date(0) }]); display([[1, 2], [3, 4]]); display(new Map([["k", { v: 1 }]])); display.table({ one: 1 }, { name: "my/table" })',
    expect: (r) => {
      returnedText(r)
      assert.deepEqual(
        shown(r).map((event): readonly unknown[] => [event.kind, event.name, JSON.parse(event.data)]),
        [
          [
            'table',
            undefined,
            {
              columns: ['a', 'b', 'c'],
              rows: [
                [1, 'x', null],
                [null, null, '1970-01-01T00:00:00.000Z'],
              ],
              total: 2,
            },
          ],
          [
            'table',
            undefined,
            {
              columns: ['0', '1'],
              rows: [
                [1, 2],
                [3, 4],
              ],
              total: 2,
            },
          ],
          ['table', undefined, { columns: ['key', 'v'], rows: [['k', 1]], total: 1 }],
          ['table', 'my table', { columns: ['key', 'value'], rows: [['one', 1]], total: 1 }],
        ],
      )
    },
  },
  {
    name: 'cuts a table of many rows and says how many there were',
    code: 'display(Array.from({ length: 5000 }, (_, i) => ({ i })))',
    expect: (r) => {
      const { rows, total } = JSON.parse(only(r).data) as { readonly rows: readonly unknown[]; readonly total: number }
      assert.deepEqual([rows.length, total], [1_000, 5_000])
    },
  },
  {
    name: 'a forged table is only text',
    code: 'for (const data of ["{}", "[", \'{"columns":["a"],"rows":[[{}]],"total":1}\']) postMessage({ type: "show", kind: "table", data, name: {} })',
    expect: (r) =>
      assert.deepEqual(
        shown(r).map(({ kind, name }) => [kind, name]),
        [
          ['text', undefined],
          ['text', undefined],
          ['text', undefined],
        ],
      ),
  },
]

const harm = "fs.writeFile('/notes.md', 'OWNED'); fs.rm('/secret', { recursive: true }); return 1"

/** Specs whose rows try to have their own `join` and `slice` called. */
const reaches = [
  {
    name: 'lists with methods of their own',
    transform: [
      { type: 'formula', as: 'join', expr: '[].constructor.constructor' },
      { type: 'formula', as: 'slice', expr: `join(datum, ${JSON.stringify(harm)})` },
      { type: 'formula', as: 'x', expr: 'slice(datum)' },
    ],
  },
  {
    name: 'fields that every object inherits',
    transform: [
      { type: 'project', fields: ['constructor.constructor'], as: ['join'] },
      { type: 'formula', as: 'slice', expr: `join(datum, ${JSON.stringify(harm)})` },
      { type: 'formula', as: 'x', expr: 'slice(datum)' },
    ],
  },
]

const charts: readonly SandboxCase[] = [
  {
    name: 'draws a Vega-Lite chart as SVG, by name and by its schema',
    code: `await display.chart(${bars()}, { name: "sales.svg" })
      display({ $schema: "https://vega.github.io/schema/vega-lite/v6.json", ...${bars()} })`,
    expect: (r) => {
      returnedText(r)
      assert.deepEqual(
        shown(r).map(({ kind, name }) => [kind, name]),
        [
          ['svg', 'sales.svg'],
          ['svg', undefined],
        ],
        said(r),
      )
      for (const { data } of shown(r)) {
        assert.match(data, /^<svg[^>]*viewBox=/)
        assert.match(data, /A long label of a bar/)
        assert.match(data, /fill="#ffffff"|background/)
      }
    },
  },
  {
    name: 'draws charts of the chat’s CSV and JSON files, layered ones too',
    files: {
      '/data/t.csv': 'day,n\n2026-01-01,3\n2026-01-02,5\n2026-01-03,4',
      '/t.json': '[{"x":1,"y":2},{"x":2,"y":3}]',
    },
    code: `display.chart({ data: { url: "/data/t.csv" }, layer: [
        { mark: "line", encoding: { x: { field: "day", type: "temporal" }, y: { field: "n", type: "quantitative" } } },
        { mark: { type: "rule" }, encoding: { y: { aggregate: "mean", field: "n" } } } ] })
      display.chart({ data: { url: "t.json" }, mark: "point", width: "container", encoding: { x: { field: "x", type: "quantitative" }, y: { field: "y", type: "quantitative" } } })`,
    expect: (r) => assert.equal(shown(r).length, 2, said(r)),
  },
  {
    name: 'draws a chart of full Vega',
    code: `display({ $schema: "https://vega.github.io/schema/vega/v6.json", width: 50, height: 50, marks: [{ type: "symbol", encode: { enter: { x: { value: 10 }, y: { value: 10 } } } }] })`,
    expect: (r) => assert.equal(only(r).kind, 'svg'),
  },
  {
    name: 'measures text as the browser draws it',
    code: `for (const a of ["i".repeat(20), "W".repeat(20)])
        await display.chart({ data: { values: [{ a, b: 1 }] }, mark: "bar", encoding: { y: { field: "a" }, x: { field: "b", type: "quantitative" } } })`,
    expect: (r) => {
      const [narrow = Number.NaN, wide = Number.NaN] = shown(r).map(({ data }) =>
        Number(/ width="(\d+)"/.exec(data)?.[1]),
      )
      assert.ok(wide - narrow > 40, `${narrow} and ${wide}`)
    },
  },
  {
    name: 'says which part of a spec is wrong',
    code: `for (const spec of [5, {}, { mark: "bars" }, { layer: [{ mark: "bar" }, { encoding: {} }] },
        { data: { values: [{ a: 1 }] }, mark: "bar", encoding: { x: { field: "b", type: "quantitative" } } }]) await display.chart(spec)`,
    expect: (r) => {
      fails(/takes a Vega-Lite spec/)(r)
      assert.match(said(r), /The spec has no `mark`/)
      assert.match(said(r), /`mark` is "bars"; it may be arc, area, bar/)
      assert.match(said(r), /`layer\[1\]\.` has no `mark`|`layer\[1\]` has no `mark`/)
      assert.match(said(r), /`encoding\.x\.field` is "b", but the data has: a\./)
    },
  },
  {
    name: 'a chart’s data comes from no network',
    code: `for (const url of ["http://HOST/d.csv", "//HOST/d.csv", "https://vega.github.io/d.json"])
        await display.chart({ data: { url }, mark: "bar", encoding: { x: { field: "a" } } })`,
    expect: fails(/`data\.url` is http:\/\/[^ ]+\/d\.csv, and there is no network here: give the path of a file/),
  },
  {
    name: 'a chart of a missing file says so',
    code: 'await display.chart({ data: { url: "/none.csv" }, mark: "bar", encoding: { x: { field: "a" } } })',
    expect: fails(/There is no file at \/none\.csv/),
  },
  {
    name: 'pictures and links in a chart reach nobody',
    code: `await display.chart({ data: { values: [{ u: "http://HOST/i.png" }] }, mark: { type: "image", width: 9, height: 9, href: "http://HOST/link" }, encoding: { url: { field: "u" } } })`,
    expect: (r) => assert.ok(!shown(r).some(({ data }) => /(?:href|src)="http/.test(data)), said(r)),
  },
  {
    name: 'an expression that never ends is stopped',
    code: `await display.chart({ data: { sequence: { start: 0, stop: 1e9 } }, transform: [{ calculate: "pow(datum.data, 2)", as: "y" }], mark: "point", encoding: { x: { field: "data", type: "quantitative" }, y: { field: "y", type: "quantitative" } } })`,
    timeoutMs: 2_500,
    expect: (r) => assert.ok(['timed-out', 'unavailable', 'returned', 'threw'].includes(r.outcome.kind)),
  },
  {
    name: 'an expression reaches nothing but its data',
    code: `await display.chart({ data: { values: [{ a: 1 }] }, transform: [{ calculate: "postMessage('x')", as: "b" }], mark: "bar", encoding: { x: { field: "b" } } })
      await display.chart({ data: { values: [{ a: 1 }] }, transform: [{ calculate: "datum.constructor.constructor('return 1')()", as: "b" }], mark: "bar", encoding: { x: { field: "b" } } })`,
    expect: fails(/can’t be drawn/),
  },
  ...reaches.map(({ name, transform }) => ({
    name: `a chart changes no file: ${name}`,
    files: { '/notes.md': 'mine', '/secret/plan.txt': 'kept' },
    code: `await display(${JSON.stringify({
      $schema: 'https://vega.github.io/schema/vega/v6.json',
      data: [{ name: 't', values: [[0]], transform }],
      marks: [],
    })})`,
    expect: (r: RunReport) => {
      assert.deepEqual(r.files, { '/notes.md': 'mine', '/secret/plan.txt': 'kept' })
      assert.equal(r.changes, 0)
    },
  })),
  {
    name: 'a chart with too many marks says what to do',
    code: `await display.chart({ data: { sequence: { start: 0, stop: 30000, as: "x" } }, mark: "point", encoding: { x: { field: "x", type: "quantitative" } } })`,
    expect: fails(/too large: show fewer marks/),
  },
]

export const chartCases = [...tables, ...charts]
