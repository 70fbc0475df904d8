// What the sandbox must do and withstand, as code that runs in it. After every case the page must be intact, no late
// messages may arrive, and the attacker's servers must not have been reached.
import assert from 'node:assert/strict'
import { chartCases } from './chart-cases'
import { forgeryCases, outsideCases } from './hostile-cases'
import { moduleCases } from './module-cases'
import type { RunReport } from './page'
import { lines, messageOf, returned, shown, threw, timedOut, type SandboxCase } from './sandbox-case'
import { floodCases, stoppingCases } from './stopping-cases'

const useful: readonly SandboxCase[] = [
  {
    name: 'returns the value of an explicit return',
    code: 'return { a: [1, 2], b: "x" }',
    value: { a: [1, 2], b: 'x' },
  },
  { name: 'returns the value of the last expression', code: 'const a = 6\nconst b = 7\na * b', value: 42 },
  { name: 'awaits at the top level', code: 'await new Promise((r) => setTimeout(r, 5)); "later"', value: 'later' },
  {
    name: 'returns what is no JSON as text',
    code: 'new Map([["a", 1]])',
    expect: (r) => assert.equal(returned(r), 'Map(1) { "a" => 1 }'),
  },
  {
    name: 'says what was thrown and on which line',
    code: 'const a = 1\nfunction inner() {\n  null.x\n}\ninner()',
    expect: (r) =>
      threw(
        r,
        /^TypeError: Cannot read properties of null.*\n {2}at inner \(line 3, column 8\)\n {2}at line 5, column 1$/,
      ),
  },
  {
    name: 'says where a syntax error stands',
    code: 'const a = 1\nconst b = (2\nconst c = 3',
    expect: (r) => threw(r, /^SyntaxError: .*\n {2}at line 3, column 1/),
  },
  {
    name: 'says when a syntax error is something that is not closed',
    code: 'const a = [1\n\nif (a) {',
    expect: (r) => threw(r, /^SyntaxError: /),
  },
  {
    name: 'tells of thrown values that are no errors',
    code: 'throw { a: 1 }',
    expect: (r) => threw(r, /^Thrown: \{ a: 1 \}$/),
  },
  {
    name: 'captures the console in order',
    code: 'console.log("a", { b: 1 }); console.warn("%s is %d", "x", 5); console.error(new Map()); console.table([{ n: 1 }])',
    expect: (r) => {
      assert.deepEqual(lines(r).slice(0, 3), ['log: a { b: 1 }', 'warn: x is 5', 'error: Map(0) {}'])
      assert.match(lines(r)[3] ?? '', /\(index\) │ n\n.*\n0 {7}│ 1/)
    },
  },
  {
    name: 'sends console lines while the code runs',
    code: 'console.log("first"); for (;;) await new Promise((r) => setTimeout(r, 10))',
    timeoutMs: 2_000,
    expect: (r) => {
      timedOut(r)
      assert.deepEqual(lines(r), ['log: first'])
    },
  },
  {
    name: 'keeps console lines from before an endless loop',
    code: 'console.log("one"); console.log("two"); for (;;);',
    timeoutMs: 2_000,
    expect: (r) => {
      timedOut(r)
      assert.deepEqual(lines(r), ['log: one', 'log: two'])
    },
  },
  {
    name: 'tells of errors that nobody awaits',
    code: 'setTimeout(() => { throw new Error("in a timer") }); Promise.reject(new Error("unhandled")); await new Promise((r) => setTimeout(r, 50))',
    expect: (r) => {
      returned(r)
      assert.match(lines(r).join('\n'), /in a timer/)
      assert.match(lines(r).join('\n'), /unhandled/)
    },
  },
  {
    name: 'shows text, JSON, SVG, HTML and images',
    code: `display("words"); display({ a: 1 }); display('<svg xmlns="http://www.w3.org/2000/svg"/>'); display({ html: "<b>x</b>" });
      const c = new OffscreenCanvas(2, 2); c.getContext("2d").fillRect(0, 0, 1, 1); await display(c)`,
    expect: (r) => {
      assert.deepEqual(
        shown(r).map((e) => e.kind),
        ['text', 'json', 'svg', 'html', 'image'],
      )
      assert.match(shown(r)[4]?.data ?? '', /^data:image\/png;base64,/)
    },
  },
  {
    name: 'reads and writes files like Node',
    files: { '/in.txt': 'hello', '/d/a': '1' },
    code: `const text = await fs.readFile("/in.txt", "utf8")
      await fs.mkdir("out")
      await fs.writeFile("out/up.txt", text.toUpperCase())
      await fs.appendFile("out/up.txt", "!")
      await fs.mkdir("/deep/er", { recursive: true })
      await fs.rename("/d/a", "/d/b")
      const bytes = await fs.readFile("/in.txt")
      const stat = await fs.stat("/in.txt")
      const entries = await fs.readdir("/", { withFileTypes: true })
      return { size: stat.size, isFile: stat.isFile(), bytes: bytes.length, text: bytes.toString(), exists: [fs.existsSync("/in.txt"), await fs.exists("/no")],
        names: entries.map((e) => e.name + (e.isDirectory() ? "/" : "")) }`,
    expect: (r) => {
      assert.deepEqual(returned(r), {
        size: 5,
        isFile: true,
        bytes: 5,
        text: 'hello',
        exists: [true, false],
        names: ['d/', 'deep/', 'in.txt', 'out/'],
      })
      assert.equal(r.files['/out/up.txt'], 'HELLO!')
      assert.equal(r.files['/d/b'], '1')
    },
  },
  {
    name: 'fails like Node, with code, path and the line',
    code: 'const x = 1\nawait fs.readFile("/no.txt", "utf8")',
    expect: (r) => threw(r, /^Error: ENOENT: no such file or directory, open '\/no\.txt'\n {2}at (?:async )?line 2/),
  },
  {
    name: 'gives file errors their code',
    code: 'try { await fs.readFile("/") } catch (e) { return [e.code, e instanceof Error] }',
    value: ['EISDIR', true],
  },
  {
    name: 'keeps every append of many at once, and a thousand reads at once',
    files: { '/r': 'x' },
    code: `await Promise.all(Array.from({ length: 50 }, (_, i) => fs.appendFile("/log", i + "\\n")))
      const reads = await Promise.all(Array.from({ length: 1000 }, () => fs.readFile("/r", "utf8")))
      return [(await fs.readFile("/log", "utf8")).trim().split("\\n").length, reads.length]`,
    value: [50, 1000],
  },
  {
    name: 'does writes that nobody awaited',
    code: 'for (let i = 0; i < 100; i++) fs.writeFile("/f" + i, "x"); "done"',
    expect: (r) => assert.equal(Object.keys(r.files).length, 100),
  },
  {
    name: 'has the web’s own tools',
    code: 'return [typeof Intl, typeof TextEncoder, typeof URL, typeof structuredClone, crypto.getRandomValues(new Uint8Array(2)).length, typeof WebAssembly]',
    value: ['object', 'function', 'function', 'function', 2, 'object'],
  },
]

const frameLoss: readonly SandboxCase[] = [
  {
    name: 'says so when the frame dies under a run',
    code: 'console.log("begun")\nawait new Promise(() => {})',
    breaksOnOutput: true,
    timeoutMs: 60_000,
    expect: (r) => {
      assert.equal(r.outcome.kind, 'unavailable')
      assert.match(messageOf(r), /try again/)
    },
  },
  { name: 'makes a new frame when the last one died', code: 'return "new frame"', value: 'new frame' },
  {
    name: 'notices a frame that died between runs',
    code: 'return 1',
    expect: (r) => assert.equal(returned(r), 1),
    breakBefore: true,
  },
]

/** Requests assets from the page with its own messages, which an honest prelude never does. */
const asking = (names: readonly string[]): string => `const bytes = {}
  let answered = 0
  addEventListener("message", ({ data }) => { if (data.type === "asset") { answered++; bytes[data.id] = data.bytes?.length ?? null } })
  const names = ${JSON.stringify(names)}
  names.forEach((name, id) => postMessage({ type: "asset", id: 900 + id, name }))
  while (answered < names.length) await new Promise((r) => setTimeout(r, 5))`

const assets: readonly SandboxCase[] = [
  {
    name: 'an asset of the list comes from the page, one a run',
    code: `${asking(['papaparse.js', 'papaparse.js'])}\nreturn [bytes[900] > 10_000, bytes[901]]`,
    value: [true, null],
  },
  {
    name: 'no other name makes the page fetch anything',
    code: `${asking(['', 'nothing.js', '../sandbox.html', '/api/secret', 'vega.js/../../api/secret', 'http://HOST/x.js', '//HOST/x', '__proto__', 'constructor', 'vega.js?x', 'VEGA.JS', 'x'.repeat(5000)])}\nreturn Object.values(bytes).every((length) => length === null)`,
    value: true,
  },
  {
    name: 'a slow network takes none of the run’s time',
    code: `${asking(['simple-statistics.js'])}\nreturn bytes[900] > 10_000`,
    assetDelayMs: 3_000,
    timeoutMs: 2_000,
    value: true,
  },
]

/** In this order: later cases rely on the sandbox having survived the earlier ones. */
export const sandboxCases: readonly SandboxCase[] = [
  ...useful,
  ...moduleCases,
  ...chartCases,
  ...assets,
  ...forgeryCases,
  ...outsideCases,
  ...stoppingCases,
  ...floodCases,
  ...frameLoss,
]

/** Throws if a report does not match the case, or if the case reached beyond the sandbox. */
export function checkSandboxCase(sandboxCase: SandboxCase, report: RunReport, attackerHits: readonly string[]): void {
  if ('value' in sandboxCase) assert.deepEqual(returned(report), sandboxCase.value)
  sandboxCase.expect?.(report)
  assert.ok(report.intact, 'the page was changed')
  assert.deepEqual(attackerHits, [], 'another origin was reached')
  assert.ok(!JSON.stringify([report.outcome, report.events]).includes('APPSECRET'), 'a secret of the app came out')
  // Far more than a slow machine needs, far less than a run that blocks the page.
  assert.ok(report.frameGapMs < 4_000, `the page stood still for ${Math.round(report.frameGapMs)} ms`)
}
