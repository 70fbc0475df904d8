// Code with imports, types and libraries, as cases of sandbox-cases.ts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { lines, outcomeText, returnedText, threw, type SandboxCase } from './sandbox-case'

/** A script of a skill that is part of this build. */
const ownScript = (path: string): string =>
  readFileSync(new URL(`../../../../public/skills/${path}`, import.meta.url), 'utf8')

const workspace: readonly SandboxCase[] = [
  {
    // In the form that `run-code.ts` writes.
    name: 'runs a script of a skill with its arguments',
    files: {
      '/skills/csv-report/scripts/report.js': ownScript('csv-report/scripts/report.js'),
      '/data/orders.csv': 'city;amount\nOslo;1.010,5\nBergen;20\nOslo;12\nBergen;8\n',
    },
    code: `process.argv = ["node", "/skills/csv-report/scripts/report.js", "/data/orders.csv", "/out/report.md"]
await import("/skills/csv-report/scripts/report.js")
undefined`,
    expect: (report) => {
      const text = lines(report).join('\n')
      assert.match(text, /\| amount \| number \| 0 \| 4 \| 1,050\.5 \|/)
      assert.match(text, /\| Oslo \| 2 \| 1,022\.5 \|\n\| Bergen \| 2 \| 28 \|/)
      assert.match(text, /Report: \/out\/report\.md/)
    },
  },
  {
    name: 'runs the check of a table with its arguments',
    files: {
      '/skills/table-check/scripts/check.js': ownScript('table-check/scripts/check.js'),
      '/t.csv':
        'id,net,tax,total\n1,10,2,12\n2,10,2,13\n2,10,2,13\n3,,2,2\n4,5,1,6\n5,x,1,6\n6,5,1,6\n7,5,1,6\n8,5,1,6\n9,900,1,901\n',
    },
    code: `process.argv = ["node", "/skills/table-check/scripts/check.js", "/t.csv", "net", "tax", "total"]
await import("/skills/table-check/scripts/check.js")
undefined`,
    expect: (report) => {
      const text = lines(report).join('\n')
      assert.match(text, /duplicate: rows 4 = 3/)
      assert.match(text, /empty: net, rows 5/)
      assert.match(text, /mixed: net holds numbers, but "x" in row 7/)
      assert.match(text, /outlier: net, 900 in row 11/)
      assert.match(text, /sum: row 3: 12 is not 13, row 4: 12 is not 13/)
    },
  },
  {
    name: 'runs a script of a skill that has a shebang, a check for its own run, and ./lib',
    files: {
      '/skills/totals/scripts/run.js': `#!/usr/bin/env node
'use strict'
const fs = require('node:fs')
const path = require('path')
const { parse, sum } = require('./lib')
const config = require('../assets/config.json')

function main([file, ...flags]) {
  const rows = parse(fs.readFileSync(file, 'utf8'))
  const head = fs.readFileSync(path.join(__dirname, '..', 'assets', 'head.md'), 'utf8').trim()
  console.log(head, config.unit, sum(rows), flags.join(' '))
}
if (require.main === module) main(process.argv.slice(2))
module.exports = { main }
`,
      '/skills/totals/scripts/lib/index.js':
        "const { parse } = require('./csv/parse')\nexports.parse = parse\nexports.sum = (rows) => rows.reduce((all, [, n]) => all + Number(n), 0)\n",
      '/skills/totals/scripts/lib/csv/parse.js':
        "exports.parse = (text) => text.trim().split('\\n').slice(1).map((line) => line.split(','))\n",
      '/skills/totals/assets/config.json': '{ "unit": "kg" }',
      '/skills/totals/assets/head.md': '# Totals\n',
      '/in.csv': 'name,n\na,1\nb,41\n',
    },
    code: `process.argv = ["node", "/skills/totals/scripts/run.js", "/in.csv", "--plain"]
await import("/skills/totals/scripts/run.js")
undefined`,
    expect: (report) => assert.deepEqual(lines(report), ['log: # Totals kg 42 --plain']),
  },
  {
    name: 'runs a script module in a nested folder, with its siblings and its own address',
    files: {
      '/skills/words/scripts/jobs/daily/count.mjs': `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { words } from './split.mjs'
import least from '../../shared/least.js'

const here = dirname(fileURLToPath(import.meta.url))
const stop = readFileSync(join(here, 'stop.txt'), 'utf8').trim().split(' ')
export const count = (text) => words(text).filter((word) => word.length >= least && !stop.includes(word)).length
if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(count(process.argv.slice(2).join(' ')))
`,
      '/skills/words/scripts/jobs/daily/split.mjs':
        'export const words = (text) => text.toLowerCase().match(/[a-z]+/g) ?? []\n',
      '/skills/words/scripts/jobs/daily/stop.txt': 'the and\n',
      '/skills/words/scripts/shared/least.js': 'export default 3\n',
    },
    code: `process.argv = ["node", "/skills/words/scripts/jobs/daily/count.mjs", "The cat and", "a dog"]
await import("/skills/words/scripts/jobs/daily/count.mjs")
undefined`,
    expect: (report) => assert.deepEqual(lines(report), ['log: 2']),
  },
  {
    name: 'imports files by path, with default, named, star and renamed exports',
    files: {
      '/lib/a.js':
        'export default 1; export const two = 2; export function three() { return 3 }; let n = 0; export const up = () => ++n; export { n as count }',
      '/lib/all.js': 'export * from "./a.js"; export { default as one } from "./a.js"; export * as space from "./a"',
      '/main.mjs':
        'import one, { two as deux, three, up, count } from "./lib/a.js"; import * as all from "/lib/all"; up(); up(); export const out = [one, deux, three(), count, all.one, all.space.two, all.two]',
    },
    code: 'import { out } from "./main.mjs"\nout',
    value: [1, 2, 3, 2, 1, 2, 2],
  },
  {
    name: 'gives the value of the last expression of code with imports, also of an explicit return',
    files: { '/a.js': 'export const f = (x) => x + 1' },
    code: 'import { f } from "./a.js"\nf(1)\n// the end',
    value: 2,
  },
  {
    name: 'takes a return in code with imports',
    files: { '/a.js': 'export const f = (x) => x + 1' },
    code: 'import { f } from "./a.js"\nif (f(1) === 2) return "yes"\nreturn "no"',
    value: 'yes',
  },
  {
    name: 'imports at run time, also a file that the code has just written',
    code: `await fs.writeFile("/made.js", "export const x = 5; export default import.meta.url")
      const made = await import("./made.js")
      return [made.x, made.default, import.meta.url, import.meta.dirname]`,
    value: [5, 'file:///made.js', 'file:///code.js', '/'],
  },
  {
    name: 'lets modules import each other in a circle',
    files: {
      '/a.js':
        'import { b } from "./b.js"; export function a(n) { return n === 0 ? "a" : b(n - 1) }; export const ready = "yes"',
      '/b.js':
        'import { a, ready } from "./a.js"; export function b(n) { return n === 0 ? "b" : a(n - 1) }; export const early = a(0); export const late = () => ready',
    },
    code: 'import { a } from "./a.js"; import { early, late } from "./b.js"; return [a(3), a(4), early, late()]',
    value: ['b', 'a', 'a', 'yes'],
  },
  {
    name: 'runs each module once, what is imported first, and awaits at the top level',
    files: {
      '/a.js': 'globalThis.seen = [...(globalThis.seen ?? []), "a"]; export {}',
      '/b.js': 'import "./a.js"; await new Promise((r) => setTimeout(r, 20)); globalThis.seen.push("b")',
      '/c.js': 'import "./b.js"; import "./a.js"; globalThis.seen.push("c")',
    },
    code: 'import "./c.js"; import "./b.js"; return globalThis.seen',
    value: ['a', 'b', 'c'],
  },
  {
    name: 'requires scripts and JSON, guesses extensions and index files',
    files: {
      '/lib/index.js':
        'const d = require("./data"); exports.sum = d.list.reduce((a, b) => a + b, 0); exports.file = __filename',
      '/lib/data.json': '{ "list": [1, 2, 3] }',
      '/pkg/index.ts': 'export const typed: number = 7',
      '/one.cjs': 'module.exports = () => "called"; module.exports.extra = 1',
    },
    code: `const lib = require("./lib")
      const one = require("./one.cjs")
      const { typed } = require("/pkg")
      return [lib.sum, lib.file, one(), one.extra, typed, require("./lib/data.json").list.length]`,
    value: [6, '/lib/index.js', 'called', 1, 7, 3],
  },
  {
    name: 'imports JSON with and without an attribute, and scripts as default and by name',
    files: { '/d.json': '{"a":1}', '/s.cjs': 'exports.x = 1; exports.y = 2' },
    code: 'import d from "./d.json" with { type: "json" }\nimport { a } from "./d.json"\nimport s, { y } from "./s.cjs"\nreturn [d, a, s, y]',
    value: [{ a: 1 }, 1, { x: 1, y: 2 }, 2],
  },
  {
    name: 'takes TypeScript in the code itself',
    code: `interface Point { x: number; y?: number }
      enum Colour { Red = 'red', Blue = 'blue' }
      const p: Point = { x: 1 } satisfies Point
      function first<T>(items: readonly T[]): T | undefined { return items[0] }
      class Box { constructor(public readonly value: number) {} }
      first<number>([p.x, 2])! + new Box(5).value as number`,
    value: 6,
  },
  {
    name: 'takes TypeScript in files, with imports of types and the names that a compiler would make',
    files: {
      '/src/types.ts': 'export interface Row { n: number }\nexport type Rows = Row[]',
      '/src/sum.ts':
        'import type { Rows } from "./types.js"\nimport { Row } from "./types.js"\nexport const sum = (rows: Rows): number => rows.reduce((all: number, row: Row) => all + row.n, 0)',
    },
    code: 'import { sum } from "./src/sum.js"\nconst rows: { n: number }[] = [{ n: 1 }, { n: 2 }]\nsum(rows)',
    value: 3,
  },
  {
    name: 'has fs and path by their names in Node',
    files: { '/x.txt': 'text' },
    code: `import fsp, { readFile } from "node:fs/promises"; import { promises } from "fs"; import path, { join } from "node:path"
      return [await readFile(join("/", "x.txt"), "utf8"), await fsp.exists("/x.txt"), typeof promises.stat, path.extname("a.tar.gz")]`,
    value: ['text', true, 'function', '.gz'],
  },
]

const errors: readonly SandboxCase[] = [
  {
    name: 'says which file and line threw',
    files: { '/lib/bad.js': 'export const f = () => {\n  return null.x\n}' },
    code: 'import { f } from "./lib/bad.js"\n\nf()',
    expect: (r) => threw(r, /^TypeError: .*\n {2}at f \(\/lib\/bad\.js line 2\)\n {2}at line 3$/),
  },
  {
    name: 'says which file is missing, who imports it, and what is near',
    files: { '/lib/b.js': '\n\nimport { a } from "./helpers.js"', '/lib/helper.js': '' },
    code: 'import "./lib/b.js"',
    expect: (r) =>
      threw(r, /There is no file \/lib\/helpers\.js, imported by \/lib\/b\.js line 3\. Nearest: \/lib\/helper\.js\./),
  },
  {
    name: 'names the packages that are there',
    code: 'const a = 1\nimport _ from "lodash"',
    expect: (r) =>
      threw(
        r,
        /There is no package lodash here.*papaparse, simple-statistics, date-fns, vega, vega-lite, Node’s own modules \(fs, path.*imported in line 2\./,
      ),
  },
  {
    name: 'says that an address can’t be imported',
    code: 'const m = await import("https://esm.sh/lodash")',
    expect: (r) => threw(r, /https:\/\/esm\.sh\/lodash can’t be loaded: there is no network here/),
  },
  {
    name: 'says which name a module does not export',
    files: { '/a.js': 'export const one = 1, two = 2' },
    code: 'import { one, tow } from "./a.js"',
    expect: (r) => threw(r, /\.\/a\.js has no export named tow, imported by line 1\. It exports: one, two/),
  },
  {
    name: 'says where a file can’t be read as code',
    files: { '/a.js': 'const x = 1\nconst = 2\nexport { x }' },
    code: 'import { x } from "./a.js"',
    expect: (r) => threw(r, /SyntaxError: .*\/a\.js line 2/),
  },
  {
    name: 'says where code with imports can’t be read',
    files: { '/a.js': 'export const x = 1' },
    code: 'import { x } from "./a.js"\nconst y = (x\nconst z = 3',
    expect: (r) => threw(r, /^SyntaxError: .*line 3/s),
  },
  {
    name: 'says what is wrong with a JSON module, and with a file that is no code',
    files: { '/a.json': '{ "a": }', '/t.csv': 'a,b' },
    code: 'const words = []\nfor (const f of ["./a.json", "./t.csv"]) await import(f).catch((e) => words.push(e.message))\nwords',
    expect: (r) => {
      assert.match(returnedText(r), /\/a\.json is no valid JSON/)
      assert.match(returnedText(r), /\/t\.csv is neither JavaScript.*fs\.readFile/)
    },
  },
  {
    name: 'an error of a missing script comes when it is required, and can be caught',
    code: 'let a\ntry { a = require("./none.js") } catch (e) { a = e.message }\na',
    value: 'There is no file /none.js, imported in line 2.',
  },
  {
    name: 'a script can’t require what awaits, and says what can',
    files: { '/a.mjs': 'await new Promise((r) => setTimeout(r, 5)); export const x = 1' },
    code: 'require("./a.mjs").x',
    expect: (r) => threw(r, /\/a\.mjs awaits at its top level: use `await import/),
  },
  {
    name: 'a module that threw throws again',
    files: { '/a.js': 'globalThis.n = (globalThis.n ?? 0) + 1; throw new Error("broken")' },
    code: 'const said = []\nfor (let i = 0; i < 2; i++) await import("./a.js").catch((e) => said.push(e.message))\nreturn [said, n]',
    value: [['broken', 'broken'], 1],
  },
]

const bundled: readonly SandboxCase[] = [
  {
    name: 'papaparse reads CSV',
    code: 'import Papa from "papaparse"\nPapa.parse("a,b\\n1,x y\\n2,\\"q,r\\"", { header: true, dynamicTyping: true }).data',
    value: [
      { a: 1, b: 'x y' },
      { a: 2, b: 'q,r' },
    ],
  },
  {
    name: 'simple-statistics counts',
    code: 'import { mean, linearRegression } from "simple-statistics"; import * as ss from "simple-statistics"\nreturn [mean([1, 2, 3]), linearRegression([[0, 1], [1, 3]]), ss.max([1, 9])]',
    value: [2, { m: 2, b: 1 }, 9],
  },
  {
    name: 'date-fns knows dates',
    code: 'const { addDays, format } = require("date-fns")\nformat(addDays(new Date(2026, 0, 30), 3), "yyyy-MM-dd EEEE")',
    value: '2026-02-02 Monday',
  },
  {
    name: 'vega and vega-lite are there',
    code: 'import * as vega from "vega"\nimport { compile } from "vega-lite"\nconst { spec } = compile({ data: { values: [{ a: 1 }] }, mark: "bar", encoding: { x: { field: "a", type: "quantitative" } } })\nreturn [typeof vega.parse, spec.$schema.includes("/vega/")]',
    value: ['function', true],
  },
]

const hostile: readonly SandboxCase[] = [
  {
    name: 'no import leads out of the files',
    files: { '/lib/x.js': 'export const out = await import("../../../etc/passwd").catch((e) => e.message)' },
    code: `import { out } from "./lib/x.js"
      const said = [out]
      for (const path of ["../x.js", "/../x.js", "%2e%2e/%2e%2e/x.js", "./..%2f..%2fx.js", "file:///../x", "data:text/javascript,1", "blob:null/1"])
        await import(path).then(() => said.push("LOADED " + path), (e) => said.push(e.message))
      return said.filter((text) => !/leads out|no network here|There is no (?:package|file|folder)/.test(text))`,
    value: [],
  },
  {
    name: 'a graph of ten thousand modules is refused',
    nightly: true,
    code: `await fs.mkdir("/m")
      await Promise.all(Array.from({ length: 100 }, (_, f) => fs.writeFile("/m/" + f + ".js", Array.from({ length: 100 }, (_, i) => "import './" + (f * 100 + i) + ".js'").join("\\n"))))
      for (let i = 100; i < 2100; i++) fs.writeFile("/m/" + i + ".js", "export {}")
      try { await import("/m/0.js"); await Promise.all(Array.from({ length: 100 }, (_, f) => import("/m/" + f + ".js"))) ; return "loaded" } catch (e) { return e.message }`,
    timeoutMs: 30_000,
    expect: (r) => assert.match(outcomeText(r), /more than 2000 modules|There is no file/),
  },
  {
    name: 'a file of many megabytes is not imported',
    code: `await fs.writeFile("/big.js", new Uint8Array(7_999_000).fill(32))
      try { await import("./big.js") } catch (e) { return e.message }`,
    expect: (r) => assert.match(outcomeText(r), /\/big\.js is too large to be imported: 8\.0 MB, and 2 MB/),
  },
  {
    name: 'an endless module is stopped',
    files: { '/loop.js': 'for (;;);' },
    code: 'import "./loop.js"',
    timeoutMs: 1_500,
    expect: (r) => assert.equal(r.outcome.kind, 'timed-out'),
  },
]

export const moduleCases = [...workspace, ...errors, ...bundled, ...hostile]
