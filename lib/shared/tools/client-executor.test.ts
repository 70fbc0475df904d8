import { makeModelMessage } from '@/lib/i18n/t'
import { foreignFailure, refuse } from './refuse'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import * as z from 'zod/mini'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { browserJsEval } from './browser-js-eval'
import { capResult, cutMiddle, maxResultCharacters } from './offload-result'
import { executeTool } from './client-executor'
import { defineTool } from './define-tool'
import type { RunPorts, ToolContext, ToolDefinition, ToolOf, ToolOutcome } from './tool'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Run = (args: JsonObject, context: ToolContext<'write'>) => Promise<ToolOutcome>

const toolThat = (run: Run, { ownsTimeout = false } = {}): ToolOf<'write'> => ({
  ...browserJsEval,
  spec: { ...browserJsEval.spec, name: 'try_it' },
  policy: { ...browserJsEval.policy, ownsTimeout },
  run: (args) => ({ ok: true, run: (context) => run(args, context) }),
})

const stop = () => new AbortController()

const execute = (tool: ToolDefinition | undefined, over: Partial<RunPorts> = {}) =>
  executeTool(
    tool,
    {},
    {
      vfs: createMemoryVfs(),
      sandbox: { run: () => Promise.reject(new Error('unused')), dispose: () => {} },
      signal: stop().signal,
      timeoutMs: 1_000,
      onEvent: () => {},
      ...over,
    },
    { name: 'try_it', monotonic: () => Date.now() },
  )

test('a result comes with its duration, console and displays', async () => {
  const heard: string[] = []
  const outcome = execute(
    toolThat(async (_args, context) => {
      context.onEvent({ type: 'console', level: 'warn', text: 'w', atMs: 3 })
      context.onEvent({ type: 'display', kind: 'text', data: 'd', atMs: 4 })
      await new Promise((resolve) => setTimeout(resolve, 120))
      return { ok: true, result: { a: 1 }, displays: [{ kind: 'svg', data: '<svg/>' }] }
    }),
    { onEvent: (event) => heard.push(event.type) },
  )
  await vi.advanceTimersByTimeAsync(120)
  expect(await outcome).toEqual({
    status: 'completed',
    result: { a: 1 },
    durationMs: 120,
    console: [{ level: 'warn', text: 'w', atMs: 3 }],
    displays: [
      { kind: 'text', data: 'd' },
      { kind: 'svg', data: '<svg/>' },
    ],
  })
  expect(heard).toEqual(['console', 'display'])
})

test.each<[ToolOutcome, string, JsonValue]>([
  [foreignFailure('ENOENT', 'no file'), 'error', { error: 'no file' }],
  [foreignFailure('threw', 'x', { console: ['a'] }), 'error', { error: 'x', console: ['a'] }],
  [foreignFailure('stopped', 'stopped'), 'cancelled', { error: 'stopped' }],
  [foreignFailure('sign-in', 'not run'), 'cancelled', { error: 'not run' }],
])('%# a failure is an outcome', async (outcome, status, result) => {
  expect(await execute(toolThat(async () => outcome))).toMatchObject({ status, result })
})

test('keeps our part of a failure by its reason, for its reader, but not that of foreign code', async () => {
  const ours = await execute(
    toolThat(async () => refuse('no-such-file', makeModelMessage('told.same-path', { path: '/a' }))),
  )
  expect(ours.said).toEqual([{ reason: 'told.same-path', values: { path: '/a' } }])
  expect((await execute(toolThat(async () => foreignFailure('threw', 'x')))).said).toBeUndefined()
  const long = 'x'.repeat(5_000)
  const { said, result } = await execute(toolThat(() => Promise.reject(new Error(long))))
  expect([said, result]).toEqual([undefined, { error: `try_it failed: ${long}` }])
})

test('a missing tool, wrong arguments and a tool that throws are outcomes', async () => {
  expect(await execute(undefined)).toMatchObject({ status: 'not_found', result: { error: 'There is no tool try_it.' } })
  const picky: ToolDefinition = {
    ...browserJsEval,
    run: () => ({ ok: false, refusals: [makeModelMessage('told.no-clock')] }),
  }
  expect(await execute(picky)).toMatchObject({ status: 'error', result: { error: 'There is no clock here.' } })
  const broken = toolThat(() => Promise.reject(new Error('bug')))
  expect(await execute(broken)).toMatchObject({ status: 'error', result: { error: 'try_it failed: bug' } })
})

test('arguments are checked once, and the tool gets the checked ones', async () => {
  const schema = z.strictObject({ code: z.string() })
  const { _zod: inside } = schema
  const checked = vi.spyOn(inside, 'run')
  const got: unknown[] = []
  const tool = defineTool({
    ...browserJsEval,
    spec: { ...browserJsEval.spec, schema },
    run: async (args) => (got.push(args), { ok: true, result: null }),
  })
  const ports = { vfs: createMemoryVfs(), sandbox: { run: () => Promise.reject(new Error('unused')), dispose() {} } }
  const options = { ...ports, signal: stop().signal, timeoutMs: 1_000, onEvent: () => {} }
  await executeTool(tool, { code: '1' }, options, { name: 'try_it', monotonic: () => 0 })
  expect(got).toEqual([{ code: '1' }])
  expect(checked).toHaveBeenCalledTimes(1)
})

test('a hung tool ends at the time limit, unless it enforces the limit itself', async () => {
  const outcome = execute(toolThat(() => new Promise(() => {})))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await outcome).toMatchObject({ status: 'error', result: { error: 'try_it did not end within 1 s.' } })
  const own = toolThat(() => new Promise((resolve) => setTimeout(() => resolve({ ok: true, result: 1 }), 3_000)), {
    ownsTimeout: true,
  })
  const later = execute(own)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await later).toMatchObject({ status: 'completed' })
})

test('the time until a run’s code begins is no part of its duration', async () => {
  const tool = toolThat(
    async (_args, context) => {
      await new Promise((resolve) => setTimeout(resolve, 2_700))
      context.onEvent({ type: 'began', atMs: 0 })
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return { ok: true, result: 1 }
    },
    { ownsTimeout: true },
  )
  const outcome = execute(tool)
  await vi.advanceTimersByTimeAsync(4_200)
  expect(await outcome).toMatchObject({ status: 'completed', durationMs: 1_500 })
})

test('the time a run waits for its turn counts neither for its duration nor for its limit', async () => {
  const waits = (context: { onEvent: RunPorts['onEvent'] }, isAwaited: boolean) =>
    context.onEvent({ type: 'turn', waits: isAwaited, atMs: 0 })
  const tool = toolThat(async (_args, context) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    waits(context, true)
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    waits(context, false)
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { ok: true, result: 1 }
  })
  const outcome = execute(tool)
  await vi.advanceTimersByTimeAsync(5_300)
  expect(await outcome).toMatchObject({ status: 'completed', durationMs: 300 })

  const slow = toolThat(async (_args, context) => {
    waits(context, true)
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    waits(context, false)
    return new Promise(() => {})
  })
  const late = execute(slow)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(await late).toMatchObject({ status: 'error', durationMs: 1_000 })
})

test('a run that is stopped while it waits for its turn has not begun', async () => {
  const controller = stop()
  const outcome = execute(
    toolThat(
      (_args, context) =>
        new Promise((resolve) => {
          context.onEvent({ type: 'turn', waits: true, atMs: 0 })
          context.signal.addEventListener('abort', () => resolve(foreignFailure('stopped', 'no')))
        }),
    ),
    { signal: controller.signal },
  )
  await vi.advanceTimersByTimeAsync(4_000)
  controller.abort()
  expect(await outcome).toMatchObject({ status: 'cancelled', durationMs: 0 })
})

test('a stop before the start runs nothing', async () => {
  const controller = stop()
  controller.abort()
  const run = vi.fn<Run>()
  expect(await execute(toolThat(run), { signal: controller.signal })).toMatchObject({ status: 'cancelled' })
  expect(run).not.toHaveBeenCalled()
})

test('a stop during a run lets the tool report how it ended, then gives it up', async () => {
  const controller = stop()
  const stubborn = execute(
    toolThat(() => new Promise(() => {})),
    { signal: controller.signal, timeoutMs: 60_000 },
  )
  const quick = execute(
    toolThat(
      (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(foreignFailure('stopped', 'mid-way')))
        }),
    ),
    { signal: controller.signal },
  )
  await vi.advanceTimersByTimeAsync(100)
  controller.abort()
  expect(await quick).toMatchObject({ status: 'cancelled', result: { error: 'mid-way' }, durationMs: 100 })
  await vi.advanceTimersByTimeAsync(1_500)
  expect(await stubborn).toMatchObject({ status: 'cancelled', durationMs: 1_600 })
})

test.each<[string, JsonValue]>([
  ['a long text', { path: '/a', content: 'x'.repeat(500_000) }],
  ['a long list', Array.from({ length: 50_000 }, (_, at) => at)],
  ['many long texts', Array.from({ length: 40 }, () => ({ text: 'y'.repeat(10_000) }))],
  ['many keys', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key-${at}`, at]))],
])('%s over the cap is cut in the middle with a note', (_name, value) => {
  const capped = JSON.stringify(capResult(value))
  expect(capped.length).toBeLessThanOrEqual(maxResultCharacters)
  expect(capped.length).toBeGreaterThan(5_000)
  expect(capped).toMatch(/left out|cut in the middle/)
})

test('a result within the limit stays unchanged', () => {
  const value = { a: [1, { b: 'x' }] }
  expect(capResult(value)).toBe(value)
})

test('a cut keeps head and tail, and no half of a surrogate pair', () => {
  expect(cutMiddle('0123456789', 10)).toBe('0123456789')
  expect(cutMiddle('0123456789ab', 10)).toBe('0123456\n… 2 characters left out …\n9ab')
  expect(cutMiddle('😀'.repeat(100), 11).isWellFormed()).toBe(true)
})

test('stores files of a result for a tool without file access, and names them in the result', async () => {
  const vfs = createMemoryVfs()
  const files = [{ mediaType: 'image/png', base64: btoa('abc') }]
  const outcome = execute(
    toolThat(async () => ({
      ok: true,
      result: 'a map',
      produced: { files, withFiles: (kept) => ({ text: 'a map', files: kept }) },
    })),
    { vfs },
  )
  await vi.runAllTimersAsync()
  expect((await outcome).result).toEqual({
    text: 'a map',
    files: [{ path: '/.nod/results/try_it-1.png', type: 'image/png', bytes: 3 }],
  })
  expect((await vfs.read('/.nod/results/try_it-1.png')).ok).toBe(true)
})
