import { describe, expect, it, vi } from 'vitest'
import { maxParallelPython } from '@/lib/sandbox/limits'
import { createSandboxPool } from '@/lib/sandbox/frame-sandbox'
import { openLanes } from '@/lib/sandbox/testing/lanes'
import { CALLS_AT_ONCE } from '@/lib/shared/calls/click-reasons'
import { createWorld, type World } from '@/lib/client/calls/testing/call-world'
import { call } from '@/lib/client/calls/testing/world-calls'
import { executeTool } from '@/lib/shared/tools/client-executor'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { viewOf } from '@/lib/client/state/open-conversations'

// Controller, executor, tool, pool, sandbox and relay are the real ones; only the worker is simulated, and nothing in
// this file runs calls concurrently. So the test notices a setting that has no effect on the way.

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

const codes = ['"a"', '"b"', '"c"', '"d"', '"e"', '"f"']

async function setUp(parallelExecution: boolean, name = 'browser_js_eval') {
  const lanes = openLanes()
  const sandbox = createSandboxPool(lanes.open, { runs: CALLS_AT_ONCE, python: maxParallelPython })
  const vfs = createMemoryVfs()
  const runtime: ToolRuntime = {
    vfs,
    execute: (tool, args, options) =>
      executeTool(builtIn.get(tool), args, { vfs, sandbox, ...options }, { name: tool, monotonic: () => Date.now() }),
    dispose: () => {},
  }
  const calls = codes.map((code, slot) => call(slot, { name, arguments: { code } }))
  const world = await createWorld({ calls, runtime, tools: { parallelExecution } })
  world.click(0, (actions, id) =>
    actions.run(
      id,
      calls.map((_call, slot) => slot),
    ),
  )
  return { world, ...lanes }
}

/** Runs everything that does not wait for a worker to end. */
async function happen(world: World): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await world.flush()
    while (world.pending().length > 0) {
      world.advance(0)
      await world.flush()
      quiet = 0
    }
  }
}

/** The tool's code loads at its first call: waits until the expected calls run, and checks that no others do. */
async function runs({ world, running }: Awaited<ReturnType<typeof setUp>>, expected: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    await happen(world)
    expect(running().length).toBeGreaterThanOrEqual(expected.length)
  })
  await happen(world)
  expect(running().toSorted()).toEqual(expected)
}

describe('calls of one start', () => {
  it('run one after another by default', async () => {
    const stage = await setUp(false)
    for (const code of codes) {
      await runs(stage, [code])
      stage.finish(code)
    }
    await happen(stage.world)
    expect(stage.world.posts).toHaveLength(1)
  })

  it('run concurrently if the chat allows it, up to the limit, whichever ends first', async () => {
    const stage = await setUp(true)
    const { world, finish } = stage
    await runs(stage, codes.slice(0, CALLS_AT_ONCE))
    finish('"c"')
    await runs(stage, ['"a"', '"b"', '"d"', '"e"'])
    for (const code of ['"e"', '"d"', '"b"', '"a"']) {
      finish(code)
      await happen(world)
    }
    finish('"f"')
    await happen(world)
    expect(world.posts).toHaveLength(1)
    expect(
      world
        .rows()
        .toSorted((a, b) => a.slot - b.slot)
        .map(({ outcome }) => outcome?.result),
    ).toEqual(codes.map((code) => ({ value: code })))
  })

  it('of Python run concurrently up to the number of interpreters, and waiting ones say so', async () => {
    const stage = await setUp(true, 'python_eval')
    const { world, finish } = stage
    await runs(stage, codes.slice(0, maxParallelPython))
    const { live } = viewOf(world.stateOf(0))
    expect(codes.flatMap((_code, slot) => (live.get(`m1:${slot}`)?.waitsForTurn ? [slot] : []))).toEqual([2, 3])
    for (const code of codes) {
      finish(code)
      await happen(world)
    }
    await vi.waitFor(() => expect(world.posts).toHaveLength(1))
    expect(world.rows().every(({ outcome }) => outcome?.status === 'completed')).toBe(true)
  })
})
