// How endless code is stopped, and how code that floods ends, as cases of sandbox-cases.ts.
import assert from 'node:assert/strict'
import { lines, returned, shown, threw, timedOut, type SandboxCase } from './sandbox-case'

export const stoppingCases: readonly SandboxCase[] = [
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

export const floodCases: readonly SandboxCase[] = [
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
    timeoutMs: 30_000,
    expect: (r) => {
      assert.equal(returned(r), 'end')
      assert.ok(lines(r).length <= 2_001)
      assert.match(lines(r).at(-1) ?? '', /console is full/)
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
    nightly: true,
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
      threw(
        r,
        /None of its changes to files were kept: The file is too large: it has 8 MB, and the limit is 8 MB per file\./,
      )
      assert.deepEqual(r.files, {})
    },
  },
  {
    name: 'refuses the file after the last one that fits',
    nightly: true,
    code: 'let n = 0; try { for (;; n++) fs.writeFileSync("/f" + n, "") } catch (e) { for (let i = 0; i < n; i++) fs.unlinkSync("/f" + i); return [n, e.code] }',
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
    nightly: true,
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
