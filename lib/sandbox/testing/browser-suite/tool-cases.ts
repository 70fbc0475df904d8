// Code that calls tools: the code pauses, its clock stops, and only JSON text passes. `echo`, `denied` and `never` are
// in page.ts.
import assert from 'node:assert/strict'
import { threw, timedOut, type SandboxCase } from './sandbox-case'

export const toolCases: readonly SandboxCase[] = [
  {
    name: 'code has no tools where it was given none',
    code: 'typeof tools',
    value: 'undefined',
  },
  {
    name: 'code waits for a tool longer than its time limit, and goes on with its answer',
    code: 'const { n } = await tools.echo({ n: 41 }); n + 1',
    toolMs: 3_000,
    timeoutMs: 2_000,
    value: 42,
  },
  {
    name: 'tools called together are answered each, and one that was not waited for is too',
    code:
      'const all = await Promise.all([1, 2, 3].map((n) => tools.echo({ n }))); void tools.echo({ n: 9 }).then(console.log); ' +
      'return all.map(({ n }) => n)',
    toolMs: 20,
    expect: ({ outcome, events }) => {
      assert.equal(outcome.kind === 'returned' && outcome.value, '[1,2,3]')
      assert.ok(events.some((event) => event.type === 'console' && event.text.includes('9')))
    },
  },
  {
    name: 'a denied tool throws inside the code, which may go on',
    code: 'try { await tools.denied() } catch (e) { return [e instanceof ToolError, e.name, e.message] }',
    toolMs: 5,
    value: [true, 'ToolError', 'The user denied this call.'],
  },
  {
    name: 'a call of a tool over the 50 of a run is refused alone',
    code: 'const ends = await Promise.allSettled(Array.from({ length: 60 }, () => tools.echo())); return ends.filter(({ status }) => status === "rejected").length',
    toolMs: 5,
    value: 10,
  },
  {
    name: 'a loop beside an open call of a tool is ended by the time limit',
    code: 'void tools.never(); for (;;) {}',
    toolMs: 5,
    timeoutMs: 600,
    expect: timedOut,
  },
  {
    name: 'a loop after the answer of a tool is ended by the time limit',
    code: 'await tools.echo(); for (;;) {}',
    toolMs: 5,
    timeoutMs: 600,
    expect: timedOut,
  },
  {
    name: 'a forged call of no text, and an id that is used again, call no tool',
    code:
      'self.postMessage({ type: "tool", id: 1, name: "echo", args: { toString: 1 } }); ' +
      'self.postMessage({ type: "tool", id: 1, name: "echo", args: "not JSON" }); ' +
      'await tools.echo({ n: 2 })',
    toolMs: 5,
    expect: (r) => threw(r, /^SyntaxError/),
  },
]

export const pythonToolCases: readonly SandboxCase[] = (
  [
    {
      name: 'Python waits for a tool longer than its time limit',
      code: 'value = await tools.echo(n=41)\nvalue["n"] + 1',
      toolMs: 2_000,
      timeoutMs: 800,
      value: 42,
    },
    {
      name: 'Python calls tools together',
      code: 'import asyncio\n[v["n"] for v in await asyncio.gather(*(tools.echo(n=n) for n in (1, 2, 3)))]',
      toolMs: 5,
      value: [1, 2, 3],
    },
    {
      name: 'Python waits for a tool in a plain function by sync',
      code: 'def ask(n):\n  return tools.echo.sync({"n": n})["n"]\n[ask(1), ask(2)]',
      toolMs: 2_500,
      timeoutMs: 2_000,
      value: [1, 2],
    },
    {
      name: 'a denied tool raises inside Python',
      code: 'try:\n  await tools.denied()\nexcept ToolError as error:\n  said = str(error)\nsaid',
      toolMs: 5,
      value: 'The user denied this call.',
    },
  ] satisfies readonly SandboxCase[]
).map((each) => ({ ...each, language: 'python' as const }))
